import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { decodeEntities } from '../../../examples/workbench/skills/web-reader/lib/decode-entities.ts'
import { guardedLookup } from '../../../examples/workbench/skills/web-reader/lib/guarded-lookup.ts'
import { htmlTokens } from '../../../examples/workbench/skills/web-reader/lib/html-tokens.ts'
import { isPublicAddress } from '../../../examples/workbench/skills/web-reader/lib/is-public-address.ts'
import { pageLinks } from '../../../examples/workbench/skills/web-reader/lib/page-links.ts'
import { readableText } from '../../../examples/workbench/skills/web-reader/lib/readable-text.ts'
import { failureOf, toolUnderTest } from './tool-under-test.ts'

const ARTICLE = `<!doctype html><html><head><title>Tea &amp; more</title><base href="/shop/">
<style>p { color: red }</style><script>if (1 < 2) document.write("<p>no</p>")</script></head>
<body><h1>Tea</h1><p>Green <b>tea</b>,
  hot.</p><ul><li>One<li>Two <a href="two#part">second</a></ul>
<a href="https://other.example/x">Other</a> <a href="mailto:a@b.example">mail</a></body></html>`

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const html = (body: string | Uint8Array, headers: Record<string, string> = {}): Answer => {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body)
  }
}
const status = (code: number, headers: Record<string, string> = {}): Answer => {
  return (_, response) => {
    response.writeHead(code, headers).end('never mind')
  }
}

const answers: Readonly<Record<string, Answer>> = {
  '/article': html(ARTICLE),
  '/plain': html('a < b', { 'content-type': 'text/plain; charset=utf-8' }),
  '/json': html('{"a":1}', { 'content-type': 'application/vnd.api+json' }),
  '/image': html('....', { 'content-type': 'image/png' }),
  '/latin': html(Uint8Array.of(0xe9), { 'content-type': 'text/html; charset=iso-8859-1' }),
  '/meta': html(Buffer.from('<meta charset=windows-1252>\x80', 'latin1')),
  '/mark': html(Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x69, 0)),
  '/unknown-charset': html('é', { 'content-type': 'text/html; charset=nonsense' }),
  '/gzip': html(gzipSync('small'), { 'content-encoding': 'gzip' }),
  '/deflate': html(deflateSync('small'), { 'content-encoding': 'deflate' }),
  '/brotli': html(brotliCompressSync('small'), { 'content-encoding': 'br' }),
  '/zstd': html('x', { 'content-encoding': 'zstd' }),
  '/torn': html(gzipSync('x'.repeat(99)).subarray(0, 15), { 'content-encoding': 'gzip' }),
  '/bomb': html(gzipSync(Buffer.alloc(30_000_000, 'a')), { 'content-encoding': 'gzip' }),
  '/long': html('0123456789'.repeat(30), { 'content-type': 'text/plain' }),
  '/endless': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const more = (): void => {
      if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more))
    }
    more()
  },
  '/silent': () => {},
  '/stalls': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('start')
  },
  '/drops': (request) => request.socket.destroy(),
  '/moved': status(302, { location: '/article#top' }),
  '/loop': status(302, { location: '/loop' }),
  '/to-file': status(302, { location: 'file:///etc/passwd' }),
  '/to-name': status(302, { location: 'http://user:pass@localhost/' }),
  '/nowhere': status(302),
  '/401': status(401),
  '/403': status(403),
  '/404': status(404),
  '/410': status(410),
  '/418': status(418),
  '/429': status(429),
  '/503': status(503),
}

const seen: IncomingMessage[] = []
const server = createServer((request, response) => {
  seen.push(request)
  const answer = answers[request.url ?? ''] ?? status(404)
  answer(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const services = { allowPrivateHosts: true }
const fetchPage = await toolUnderTest('web-reader', 'fetch_page')
const extractLinks = await toolUnderTest('web-reader', 'extract_links')
const readText = await toolUnderTest('web-reader', 'read_text')
const get = (path: string, more: object = {}) =>
  fetchPage({ url: `${origin}${path}` }, { services: { ...services, ...more } })

describe('fetch_page', () => {
  test('returns a page as it came, and sends no cookies or credentials', async () => {
    expect(await get('/article')).toEqual({
      url: `${origin}/article`,
      redirects: [],
      contentType: 'text/html',
      charset: 'utf-8',
      bytes: Buffer.byteLength(ARTICLE),
      text: ARTICLE,
      characters: ARTICLE.length,
    })
    expect(Object.keys(seen.at(-1)?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  test('follows a redirect and tells where it led', async () => {
    expect(await get('/moved')).toMatchObject({
      url: `${origin}/article`,
      redirects: [`${origin}/moved`],
    })
  })

  test('gives a long text in parts that join to the whole', async () => {
    const url = `${origin}/long`
    const first = await fetchPage({ url, maxCharacters: 200 }, { services })
    expect(first).toMatchObject({ characters: 300, next: 200 })
    const second = await fetchPage({ url, from: first.next, maxCharacters: 200 }, { services })
    expect(second).not.toHaveProperty('next')
    expect(first.text + second.text).toBe('0123456789'.repeat(30))
    expect((await fetchPage({ url, from: 5000 }, { services })).text).toBe('')
  })

  test.each([
    ['/latin', 'the header', 'é', 'windows-1252'],
    ['/meta', 'its meta element', '<meta charset=windows-1252>€', 'windows-1252'],
    ['/mark', 'its byte order mark', 'hi', 'utf-16le'],
    ['/unknown-charset', 'nothing that is known', 'é', 'utf-8'],
    ['/json', 'its type', '{"a":1}', 'utf-8'],
  ])('decodes %s by %s', async (path, _, text, charset) => {
    expect(await get(path)).toMatchObject({ text, charset })
  })

  test.each(['/gzip', '/deflate', '/brotli'])('unpacks %s', async (path) => {
    expect(await get(path)).toMatchObject({ text: 'small', bytes: 5 })
  })

  test.each(['/bomb', '/endless'])('reads of %s only as much as the limit', async (path) => {
    const page = await get(path, { maxBytes: 100_000 })
    expect(page).toMatchObject({ bytes: 100_000, characters: 100_000, next: 20_000 })
    expect(page.note).toBe('The page is longer: only its first 100000 bytes were read.')
  })

  test.each([
    ['/401', 'AUTH'],
    ['/403', 'AUTH'],
    ['/404', 'NOT_FOUND'],
    ['/410', 'NOT_FOUND'],
    ['/418', 'PERMANENT'],
    ['/429', 'RATE_LIMIT'],
    ['/503', 'TRANSIENT'],
    ['/nowhere', 'PERMANENT'],
    ['/image', 'PERMANENT'],
    ['/zstd', 'PERMANENT'],
    ['/loop', 'PERMANENT'],
    ['/to-file', 'VALIDATION'],
    ['/to-name', 'VALIDATION'],
    ['/drops', 'TRANSIENT'],
    ['/torn', 'TRANSIENT'],
  ])('of %s fails with %s', async (path, type) => {
    expect((await failureOf(get(path))).split(':', 1)).toEqual([type])
  })

  test.each([
    ['ftp://example.org/', 'uses ftp: where only http: and https: are read'],
    ['file:///etc/passwd', 'uses file: where only http: and https: are read'],
    ['javascript:alert(1)', 'uses javascript: where only http: and https: are read'],
    ['example.org', 'is not a web address'],
    ['http://', 'is not a web address'],
    ['https://user:pass@example.org/', 'carries a name or password'],
  ])('refuses %s: it %s', async (url, why) => {
    expect(await failureOf(fetchPage({ url }, { services }))).toBe(
      `VALIDATION: The address ${JSON.stringify(url)} ${why}.`,
    )
  })

  test.each(['/silent', '/stalls'])('gives up on %s when its time is up', async (path) => {
    expect(await failureOf(get(path, { timeoutMs: 150 }))).toBe(
      `TIMEOUT: ${origin}${path} took longer than 150 ms.`,
    )
  })

  test.each(['/silent', '/stalls'])('ends %s when the call is given up', async (path) => {
    const controller = new AbortController()
    const url = `${origin}${path}`
    server.once('request', () => controller.abort())
    const call = failureOf(fetchPage({ url }, { services, signal: controller.signal }))
    expect(await call).toBe(`ABORTED: The call was given up before ${url} was read.`)
  })

  test('of a host that refuses connections may be tried again', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const url = `http://127.0.0.1:${port}/`
    expect(await failureOf(fetchPage({ url }, { services }))).toBe(
      `TRANSIENT: ${url} could not be read (ECONNREFUSED).`,
    )
  })
})

describe('private hosts', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
    ['0x7f000001', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['169.254.169.254', '169.254.169.254'],
    ['10.0.0.1', '10.0.0.1'],
    ['[fd00::1]', 'fd00::1'],
  ])('are refused, also as %s', async (host, shown) => {
    const { port } = new URL(origin)
    const before = seen.length
    for (const tool of [fetchPage, extractLinks, readText]) {
      expect(await failureOf(tool({ url: `http://${host}:${port}/article` }))).toBe(
        `DENIED: "${shown}" is not on the public internet, so it is not read.`,
      )
    }
    expect(seen.length).toBe(before)
  })

  test('are refused for a name that resolves to one, in both forms a lookup is asked in', async () => {
    for (const all of [true, false]) {
      const answer = new Promise((resolve) => {
        guardedLookup('localhost', { all }, (error) => resolve(error))
      })
      expect(await answer).toMatchObject({ type: 'DENIED' })
    }
  })

  test.each([
    ['93.184.216.34', true],
    ['172.15.255.255', true],
    ['172.16.0.1', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['2606:4700::1111', true],
    ['2002:7f00:1::', false],
    ['64:ff9b::7f00:1', false],
    ['fe80::1', false],
    ['::', false],
    ['localhost', false],
  ])('%s is on the public internet: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected)
  })
})

describe('read_text', () => {
  test('reads a page as a person would', async () => {
    const { title, text, url } = await readText({ url: `${origin}/article` }, { services })
    expect(url).toBe(`${origin}/article`)
    expect(title).toBe('Tea & more')
    expect(text).toMatchInlineSnapshot(`
      "# Tea

      Green tea, hot.

      - One
      - Two second

      Other mail"
    `)
  })

  test('leaves text that is not HTML as it is', async () => {
    const page = await readText({ url: `${origin}/plain` }, { services })
    expect(page).toMatchObject({ title: '', text: 'a < b' })
  })

  test.each([
    ['<p>a<p>b', 'a\n\nb'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<div><div>a</div></div><div>b</div>', 'a\nb'],
    ['a <b> b</b>  c', 'a b c'],
    ['a<i>b</i>c', 'abc'],
    ['<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'a | b\n1 | 2'],
    ['<pre>  x\n\ty\n</pre>z', '  x\n\ty\n\nz'],
    ['<h2>A</h2>b', '## A\n\nb'],
    ['<ol><li><p>a</p></li><li></li></ol><p>b', '- a\n\nb'],
    ['a<script>b</script><style>c</style><template><p>d</p></template>e', 'ae'],
    ['a<svg><title>b</title><svg/><text>c</text></svg>d', 'ad'],
    ['a&nbsp;&nbsp;b', 'a\u00A0\u00A0b'],
    ['<title>x</title><title>y</title>z', 'z'],
    ['a<!-- <p>b --> c<!-->d', 'a cd'],
    ['1 < 2 && 3 > 2', '1 < 2 && 3 > 2'],
    ['<p', ''],
    ['a<p title="b', 'a'],
    ['a<script>b', 'a'],
    ['a<script>b</scripty>c</script>d', 'ad'],
    ['a</script >b', 'ab'],
    ['<textarea><p>&lt;x</textarea>', '<p><x'],
    ['', ''],
  ])('reads %j', (html, text) => {
    expect(readableText(html).text).toBe(text)
  })
})

describe('extract_links', () => {
  test('lists where a page leads, absolute by its base', async () => {
    expect(await extractLinks({ url: `${origin}/moved` }, { services })).toEqual({
      url: `${origin}/article`,
      links: [
        { url: `${origin}/shop/two`, text: 'second' },
        { url: 'https://other.example/x', text: 'Other' },
      ],
      found: 2,
    })
  })

  test('keeps to the host of the page, and to the limit, and says how many there are', async () => {
    const url = `${origin}/article`
    const same = await extractLinks({ url, sameHost: true }, { services })
    expect(same.links).toEqual([{ url: `${origin}/shop/two`, text: 'second' }])
    const few = await extractLinks({ url, limit: 1 }, { services })
    expect(few).toMatchObject({ links: { length: 1 }, found: 2 })
  })

  const page = new URL('https://site.example/dir/page?x=1#here')
  test.each([
    ['<a href="next">a</a>', [['https://site.example/dir/next', 'a']]],
    ['<a href=/top?a=1&amp;b=2>a</a>', [['https://site.example/top?a=1&b=2', 'a']]],
    ['<a href="//cdn.example/x">a</a>', [['https://cdn.example/x', 'a']]],
    ['<a href="#there">a</a><a href="">b</a>', []],
    ['<a name="x">a</a><a href="javascript:x">b</a><a href="http://[">c</a>', []],
    [
      '<a href="x"></a><a href="x">later</a><a href="x">again</a>',
      [['https://site.example/dir/x', 'later']],
    ],
    ['<a href="x"><img alt="A cat" src="c.png"></a>', [['https://site.example/dir/x', 'A cat']]],
    [
      '<a href="x">one<a href="y">two',
      [
        ['https://site.example/dir/x', 'one'],
        ['https://site.example/dir/y', 'two'],
      ],
    ],
    ['<area href="x" alt="map">', [['https://site.example/dir/x', 'map']]],
    ['<!-- <a href="x">a</a> --><script><a href="y">b</a></script>', []],
    [
      '<base target="_top"><base href="/a/"><base href="/b/"><base><a href="x">a</a>',
      [['https://site.example/a/x', 'a']],
    ],
    ['<A HREF = "x" href="y">a</A>', [['https://site.example/dir/x', 'a']]],
  ])('reads %j', (html, expected) => {
    expect(pageLinks(html, page).map(({ url, text }) => [url, text])).toEqual(expected)
  })
})

test.each([
  ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
  ['&eacute;&Eacute;&yuml;&nbsp;', 'éÉÿ\u00A0'],
  ['&#233;&#xE9;&#XE9;&#233', 'éééé'],
  ['&#0;&#xD800;&#x110000;&#99999999;', '\uFFFD\uFFFD\uFFFD\uFFFD'],
  ['&#128;&#150;', '€–'],
  ['&#x1F600;', '😀'],
  ['&unknown; &constructor; & &; &#; &#x;', '&unknown; &constructor; & &; &#; &#x;'],
  ['?a=1&copy=2', '?a=1&copy=2'],
  ['&amp;lt;', '&lt;'],
])('decodes %j to %j', (text, expected) => {
  expect(decodeEntities(text)).toBe(expected)
})

test.each([
  ['unclosed tags', '<a '],
  ['unclosed quotes', '<a b="'],
  ['unclosed comments', '<!--'],
  ['lone signs', '<'],
  ['unclosed scripts', '<script>'],
  ['ends of other scripts', '<script></scripty>'],
  ['half entities', '&#x'],
  ['slashes', '<a/////'],
  ['spaces', ' <b '],
])('a page of nothing but %s is read to its end', (_, part) => {
  expect(textLength(part.repeat(100_000))).toBeLessThanOrEqual(part.length * 100_000)
})

test('no character of a page is told twice', () => {
  const parts = [
    '<',
    '>',
    '/',
    '!',
    '--',
    '"',
    "'",
    '=',
    ' ',
    'a',
    'script',
    'title',
    '&amp;',
    '\n',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts)), (pieces) => {
      const html = pieces.join('')
      expect(textLength(html)).toBeLessThanOrEqual(html.length)
    }),
  )
})

function textLength(html: string): number {
  let length = 0
  for (const token of htmlTokens(html)) if (token.kind === 'text') length += token.text.length
  return length
}
