const list = (text: string): string[] => text.trim().split(/\s+/);

/** Everyday words of web pages that the dictionaries lack. */
export const modernWords: readonly string[] = list(`
  acai açaí adaptogen adaptogens affogato aioli amuse-bouche aperol asana asanas ashwagandha autocorrect
  autoscale autoscaled autoscaler autoscaling babyccino bánh barista baristas bibimbap bikepacking biohacking
  bokeh boba bokashi botox brioche bulgogi burrata cacio cannoli carnitas cavapoo ceramide ceramides charcuterie
  chatbot chatbots chickpea cholula churro churros cockapoo collab collabs cosplay cosplayer counteroffer
  coworker coworkers coworking croquembouche crowdfund crowdfunded crypto cybersecurity dashi datacenter
  datacenters decarbonise decarbonize decarbonisation decarbonization decluttering deepfake deepfakes deliverables
  dukkah ebook ebooks ecommerce edamame edtech emoji emojis empanada empanadas entryway esport esports
  ethernet fintech fintechs flatbread focaccia freediving furikake gamification gamified ganache gastropub
  gelato ghee glamping gochujang gravlax greenwashing guacamole halloumi harissa hashtag hashtags hyaluronic
  hygge hyperlocal ikigai influencer influencers insurtech intranets jackfruit jalapeno jalapeño kaizen kefir
  kimchi kintsugi kombucha labneh labradoodle latte lattes livestream livestreams livestreamed longform
  lookbook lookbooks lowercased lyft macchiato makerspace mansplaining matcha meetup meetups merch merino
  microbrewery microcopy microdermabrasion microgrid microlearning microsite microtransaction mindfulness
  mirin miso mocktail mocktails monorepo multicloud multitenancy multitenant nearshore nearshoring niacinamide
  nduja neurodivergent neurodiverse neurodiversity omakase omnichannel onboard onboarding onigiri orzo
  overshare paleo paneer panko parkour paywall paywalled peloton petabyte phishing photobooth pickleball
  pilates planogram podcast podcaster podcasters podcasting podcasts pomodoro ponzu poutine preloved prepper
  proptech quesadilla quinoa ramen reels regtech remortgage resell reseller resellers retargeting retinol ricotta
  rooibos rideshare sambal sashimi screencast screencasts screenshare seitan selfie selfies serverless
  shakshuka shiitake shiplap signup signups skincare smartphone smartphones smartwatch smoothie smoothies
  snackable soba sommelier sourdough sous spam spritz sriracha startup startups staycation staycations streetwear
  sudoku sunchoke superfood superfoods sustainably tahini tapas telehealth telemedicine tempeh teriyaki
  tiramisu togarashi toolkits touchpoint touchpoints traybake trifecta truffle tzatziki udon umami unboxing
  unfollow unsubscribe unmute upcycle upcycled upcycling upsell upselling upskill upskilling vape vaping vlog
  vlogger vloggers vlogging vlogs wasabi wayfinding webinar webinars wellness whatsapp wifi workcation workout
  worktop worktops yuzu za'atar zaatar zoodles zhuzh kubernetes cloudflare nginx redis webpack vite eslint
  tailwind kotlin postgres postgresql mysql sqlite mongodb graphql oauth saml chromium wordpress shopify
  dropshipping backlink backlinks clickbait geofence geofencing hackathon hackathons infographic infographics
  keycard keycards leaderboard leaderboards microservice microservices offboarding rollout rollouts walkthrough
  walkthroughs timesheet timesheets timestamps uptime whitelabel wireframe wireframes wireframing
`);
