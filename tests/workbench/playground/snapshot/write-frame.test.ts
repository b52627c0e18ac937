import { expect, test } from 'vitest'
import { readFrame } from '../../../../src/workbench/playground/snapshot/read-frame.ts'
import { writeSvg, writeText } from '../../../../src/workbench/playground/snapshot/write-svg.ts'

const frame = readFrame('\x1b[1;36mTools\x1b[0m <b>&amp;\n  \x1b[7m中 "x"\x1b[0m\u202e  \n', 12)

test('as text', () => {
  expect(writeText(frame)).toMatchInlineSnapshot(`
    "Tools <b>&amp;
      中 "x"<U+202E>
    "
  `)
})

test('as a picture', () => {
  expect(writeSvg(frame, 'A <title>')).toMatchInlineSnapshot(`
    "<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 132.8 86" width="132.8" height="86" role="img" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
    <title>A &lt;title&gt;</title>
    <rect width="100%" height="100%" rx="8" fill="#0d1117"/>
    <g fill="#c9d1d9">
    <text x="16" y="29.5" textLength="42" lengthAdjust="spacingAndGlyphs" fill="#39c5cf" font-weight="bold">Tools</text>
    <text x="66.4" y="29.5" textLength="67.2" lengthAdjust="spacingAndGlyphs">&lt;b&gt;&amp;amp;</text>
    <rect x="32.8" y="34" width="16.8" height="18" fill="#c9d1d9"/><text x="32.8" y="47.5" textLength="16.8" lengthAdjust="spacingAndGlyphs" fill="#0d1117">中</text>
    <rect x="49.6" y="34" width="33.6" height="18" fill="#c9d1d9"/><text x="58" y="47.5" textLength="25.2" lengthAdjust="spacingAndGlyphs" fill="#0d1117">&quot;x&quot;</text>
    <text x="83.2" y="47.5" textLength="67.2" lengthAdjust="spacingAndGlyphs">&lt;U+202E&gt;</text>
    </g>
    </svg>
    "
  `)
})
