import { expect, test } from 'vitest';
import { safeSvg } from './svg.ts';

test('a harmless icon stays unchanged', () => {
  const icon =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none"><g stroke="#625DF5" stroke-width="2"><path d="M1 1L15 15"></path><circle cx="8" cy="8" r="3"></circle></g></svg>';
  expect(safeSvg(icon)).toBe(icon);
});

test.each([
  '<svg onload="alert(1)"><path d="M0 0" onclick="alert(1)"/></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><script xlink:href="//evil.example/x.js"/></svg>',
  '<svg><SCRIPT>alert(1)</SCRIPT></svg>',
  '<svg><style>@import url(//evil.example)</style></svg>',
  '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>',
  '<svg><a href="javascript:alert(1)"><path d="M0 0"/></a></svg>',
  '<svg><use href="//evil.example/x.svg#a"/></svg>',
  '<svg><image href="//evil.example/x.png"/></svg>',
  '<svg><animate attributeName="href" to="javascript:alert(1)"/><set attributeName="onload" to="alert(1)"/></svg>',
  '<svg><path fill="url(//evil.example/x.svg#a)" style="fill:url(//evil.example)" d="M0 0"/></svg>',
  '<svg><path fill="URL (\'//evil.example\')" d="M0 0"/></svg>',
  '<svg><path fill="\\75rl(//evil.example/x.svg#a)" d="M0 0"/></svg>',
  '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg><title>&x;</title></svg>',
  '<svg><![CDATA[<script>alert(1)</script>]]></svg>',
  '<svg></svg><img src=x onerror=alert(1)>',
  '<svg><title><img src=x onerror=alert(1)></title></svg>',
  '"><script>alert(1)</script>',
])('%s is made harmless', (svg) => {
  const clean = safeSvg(svg);
  expect(clean).not.toMatch(/<(?!\/?(svg|g|title|path|circle|rect)[\s/>])/i);
  expect(clean).not.toMatch(/\son\w+\s*=|evil|javascript:|style\s*=|passwd"/i);
  expect(safeSvg(clean)).toBe(clean);
});
