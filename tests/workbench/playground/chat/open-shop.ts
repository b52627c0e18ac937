import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openProject } from 'loadout/node'

const WORKBENCH = join(import.meta.dirname, '../../../../examples/workbench')

/** A folder with code, documents and data, its history in git, and a site on loopback. */
export interface Shop {
  readonly folder: string
  readonly site: string
  readonly services: { readonly root: string; readonly allowPrivateHosts: true }
  close(): void
}

interface Commit {
  readonly author: string
  readonly date: string
  readonly subject: string
  readonly files: Readonly<Record<string, string>>
}

const PRICE = `/** The price with VAT. */
export function grossPrice(net: number): number {
  return net * 1.2
}
// TODO: round the price of each line.
`

const COMMITS: readonly Commit[] = [
  {
    author: 'Ada Lovelace',
    date: '2026-01-05T10:00:00Z',
    subject: 'Add the price of a cart',
    files: {
      'src/price.ts': PRICE.replace('1.2', '1.25'),
      'src/cart.ts': `import { grossPrice } from './price.ts'

export function cartTotal(prices: readonly number[]): number {
  return prices.reduce((sum, price) => sum + grossPrice(price), 0)
}
`,
      'src/main.ts': "import { cartTotal } from './cart.ts'\n\nconsole.log(cartTotal([10, 20]))\n",
      'src/config.ts': '/** Milliseconds. */\nexport const timeoutMs = 45_000\n',
    },
  },
  {
    author: 'Grace Hopper',
    date: '2026-02-10T10:00:00Z',
    subject: 'Add sales and customers',
    files: {},
  },
  {
    author: 'Linus Berg',
    date: '2026-03-15T10:00:00Z',
    subject: 'Describe returns and shipping',
    files: {
      'README.md': '# Leaf & Mug\n\nSells tea, mugs and coffee.\n',
      'docs/returns.md':
        '# Returns\n\nA parcel may be sent back within 30 days. A refund takes 5 days.\n',
      'docs/shipping.md': '# Shipping\n\nWe ship to 12 countries. Express delivery takes 2 days.\n',
    },
  },
  {
    author: 'Ada Lovelace',
    date: '2026-04-20T10:00:00Z',
    subject: 'Round the gross price',
    files: { 'src/price.ts': PRICE },
  },
  {
    author: 'Grace Hopper',
    date: '2026-05-11T10:00:00Z',
    subject: 'Release 2.4.1',
    files: {
      'CHANGELOG.md': '# Changes\n\n## 2.4.1\n\nPrices are rounded.\n',
      'package.json': '{ "name": "tea-shop", "version": "2.4.1" }\n',
    },
  },
]

const PAGES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': [
    'text/html',
    '<!doctype html><html><head><title>Leaf &amp; Mug</title></head><body><h1>Leaf &amp; Mug</h1><p>Tea from hand-picked leaves.</p><a href="/shipping">Shipping</a> <a href="/hours">Hours</a> <a href="https://partners.example.org/">Partners</a></body></html>',
  ],
  '/shipping': [
    'text/html',
    '<!doctype html><html><head><title>Shipping</title></head><body><h1>Shipping</h1><p>We ship to 12 countries.</p><a href="/price-list.pdf">Download the prices</a></body></html>',
  ],
  '/hours': [
    'text/html',
    '<!doctype html><html><head><title>Hours</title></head><body><h1>Opening hours</h1><p>Open Monday to Saturday, 9 to 18.</p></body></html>',
  ],
  '/news.json': ['application/json', '{"news":[{"title":"First flush is here"}]}'],
}

/** Opens a shop. Its commits have fixed authors and dates, so their hashes are always the same. */
export async function openShop(): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'shop-'))
  const git = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    execFileSync('git', words, { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' })
  git(['init', '--quiet', '--initial-branch=main'])
  for (const { author, date, subject, files } of COMMITS) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    if (Object.keys(files).length === 0) {
      cpSync(join(WORKBENCH, 'data'), join(folder, 'data'), { recursive: true })
    }
    git(['add', '--all'])
    const email = `${author.split(' ')[0]}@example.org`
    git(['-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', subject], {
      GIT_AUTHOR_NAME: author,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: author,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    })
  }
  const server = createServer(({ url = '' }, response) => {
    const page = PAGES[url]
    if (page === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': `${page[0]}; charset=utf-8` }).end(page[1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    folder,
    site: `http://127.0.0.1:${port}`,
    services: { root: folder, allowPrivateHosts: true },
    close() {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The definitions of the workbench, trusted. */
export async function workbenchCatalog() {
  const { catalog } = await openProject([WORKBENCH], {
    project: WORKBENCH,
    home: null,
    trusted: true,
  })
  return catalog
}
