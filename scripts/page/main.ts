import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createPageReader } from '../../src/workbench/playground/page/create-page-reader.ts'
import { servePage } from '../../src/workbench/playground/page/serve-page.ts'
import { writePage } from '../../src/workbench/playground/page/write-page.ts'
import { aSession } from '../../tests/workbench/playground/page/a-session.ts'
import { WORDS } from '../../tests/workbench/playground/words.ts'
import { checkPage } from './check-page.ts'
import { findBrowser, openBrowser } from './open-browser.ts'

/** `npm run page`: opens the page of a session in a browser, as a file and served, and uses it as a reader would. */
const program = findBrowser()

if (program === null) {
  console.error(
    'No browser was found, so nothing was checked. Install Chromium, or set BROWSER_PROGRAM.',
  )
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'loadout-page-'))

const browser = await openBrowser(program)

const workspace = await aSession()

const server = await servePage({ workspace, counter: WORDS })

try {
  const file = join(folder, 'session.html')
  writeFileSync(file, writePage(await createPageReader({ workspace, counter: WORDS })(), null))
  const results = [
    ...(await checkPage(browser, pathToFileURL(file).href)),
    ...(await checkPage(browser, server.url)),
  ]
  for (const { title, problem } of results)
    console.log(
      `${problem === null ? 'ok  ' : 'FAIL'} ${title}${problem === null ? '' : `\n${problem}`}`,
    )
  const passed = results.filter(({ problem }) => problem === null).length
  console.log(`${passed} of ${results.length} checks of the page passed`)
  if (passed < results.length) process.exitCode = 1
} finally {
  await browser.close()
  await server.close()
  await workspace.close()
  rmSync(folder, { recursive: true })
}
