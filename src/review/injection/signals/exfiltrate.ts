import { any, gap, own, secrets, send, start, tell } from './english-words.ts';
import { type Signal, signal } from './signal.ts';

/** Orders to exfiltrate data: to give something away, to send it somewhere, or to call a tool. */
export const exfiltrateSignals: readonly Signal[] = [
  signal(
    'given-to-you',
    'exfiltrate',
    1,
    '\\byou (?:were|have been|are) (?:given|provided|told|configured|trusted|supplied|shown|initialised|initialized)\\b|\\byou have access to\\b|\\bin your (?:context|memory|prompt|instructions|environment)\\b|\\byou (?:know|hold|can see|have seen)\\b',
  ),
  signal(
    'secrets-all',
    'exfiltrate',
    1,
    `\\b(?:all|any|every|(?:the )?values? of(?: all)?) (?:\\w+ )?${secrets}`,
  ),
  signal(
    'own-prompt',
    'exfiltrate',
    3,
    `${start}${tell}\\b(?! (?:an?|good|better|great|effective|clear|another)\\b)${gap(30)}\\b(?:system prompts?|system instructions?|initial prompts?|hidden prompts?|your (?:full |entire |complete |exact |own |hidden |secret |internal |original |initial |system )*(?:instructions|prompt)|everything in your context|conversation (?:history|so far))\\b`,
  ),
  signal(
    'own-prompt',
    'exfiltrate',
    2,
    `${start}${tell}\\b(?! (?:an?|good|better|great|effective|clear|another)\\b)${gap(30)}\\b${own}\\b`,
  ),
  signal('secrets', 'exfiltrate', 1, `${start}${tell}\\b${gap(40)}\\b${secrets}\\b`),
  signal(
    'secrets-you-have',
    'exfiltrate',
    2,
    `\\b(?:any|all|every|the|your|whatever) ${gap(16)}${secrets}\\b${gap(10)}\\b(?:you (?:have|know|were|can|hold|see|are|find|got|possess)|that you|in your|from your|available to you|visible to you|above)`,
  ),
  signal(
    'send-to',
    'exfiltrate',
    1,
    `${start}${send}\\b${gap(70)}(?:https?://|\\bwww\\.|\\b\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\b|\\blocalhost\\b|\\b[\\w.-]+@[\\w-]+\\.\\w+)`,
  ),
  signal(
    'send-what-is-known',
    'exfiltrate',
    2,
    `${start}${any('send', 'post', 'submit', 'upload', 'forward', 'transmit', 'exfiltrate', 'append', 'leak', 'e?-?mail')}\\b ${gap(30)}\\b${any('what you (?:know|have|found|were)', 'your (?:findings|answer|context|memory|instructions|review|output|notes)', '(?:the|this)(?: whole| entire| full)? (?:review|findings|conversation|chat|prompt|context|contents of your|results of (?:your|this) review|data you)', 'everything you', 'all (?:the )?(?:data|information) you')}\\b${gap(60)}(?:https?://|@|\\bto\\b)`,
  ),
  signal(
    'inside-address',
    'exfiltrate',
    1,
    '169\\.254\\.169\\.254|metadata\\.google\\.internal|\\bhttps?://(?:127\\.0\\.0\\.1|localhost|10\\.\\d+\\.\\d+\\.\\d+|192\\.168\\.\\d+\\.\\d+|\\[::1\\])',
  ),
  signal(
    'beacon',
    'exfiltrate',
    2,
    '!\\[[^\\]\\n]{0,80}\\]\\(https?://[^)\\s]{0,200}[?=/](?:\\{|%7b|\\[|<|\\$|data\\b|secret|insert|your|api_?key|base64|the_|summary|prompt|context)',
  ),
  signal(
    'beacon-order',
    'exfiltrate',
    1,
    `\\b(?:insert|include|render|embed|add|append|put|emit|display) ${gap(30)}\\b(?:markdown )?(?:image|link|img|picture|pixel|iframe|form)\\b${gap(60)}(?:https?://|!\\[)`,
  ),
  signal(
    'urgency',
    'tool',
    1,
    `\\b(?:immediately|right now|at once|before (?:you )?(?:answer|continu|respond|review|proceed|do anything|finish|writ)\\w*|as (?:your|the) (?:first|next) (?:step|action)|without (?:asking|confirmation|hesitation))`,
  ),
  signal(
    'call-tool',
    'tool',
    2,
    `${start}(?:call|invoke|execute|run|use|trigger) ${gap(20)}\\b(?:tool|mcp|plugin|api tool|functions? (?:named|called|\\w+_\\w+))s?\\b${gap(50)}\\b(?:with|to|and|for|on|named|called|=|\\(|immediately|now|instead)`,
  ),
  signal(
    'call-tool',
    'tool',
    2,
    `${start}(?:call|invoke|execute|run|use|trigger) (?:the )?["'\`]?[a-z]+_[a-z_]+["'\`]?(?: ?\\(| (?:tool|function|with|to|and|now))`,
  ),
  signal(
    'tool-form',
    'tool',
    2,
    '</?(?:tool_call|tool_use|function_calls?|tool_code|invoke|antml|tool_request|use_mcp_tool)\\b|"(?:tool|tool_name|function_call|tool_calls|recipient_name)" ?:|\\bfunction_call ?[:=({]|\\btool_calls? ?[:=(\\[{]|to=functions\\.|<\\|(?:tool|python_tag)',
  ),
];
