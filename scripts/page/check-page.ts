import assert from 'node:assert/strict'
import type { Browser, BrowserTab } from './open-browser.ts'

/** One thing that is true of a page in a browser. */
interface PageCheck {
  readonly title: string
  run(tab: BrowserTab): Promise<void>
}

/** Runs the checks of a page, each in a new tab. Returns a line for each. */
export async function checkPage(browser: Browser, url: string): Promise<readonly PageResult[]> {
  const results: PageResult[] = []
  for (const { title, run } of [...PAGE_CHECKS, WITHOUT_SCRIPT]) {
    const tab = await browser.openTab()
    try {
      if (title === WITHOUT_SCRIPT.title)
        await tab.send('Emulation.setScriptExecutionDisabled', { value: true })
      await tab.open(url)
      await run(tab)
      assert.deepEqual(tab.problems, [], 'errors, warnings or violations')
      const foreign = tab.requests.filter((request) => !request.startsWith(url))
      assert.deepEqual(foreign, [], 'requests')
      results.push({ title, problem: null })
    } catch (error) {
      results.push({ title, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return results
}

/** The outcome of a check; the problem is null when it passed. */
interface PageResult {
  readonly title: string
  readonly problem: string | null
}

const text = (selector: string) => `document.querySelector(${JSON.stringify(selector)}).innerText`

const MOMENT = text('#moment')

const PANEL = text('main')

const SIZES = [
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1440 },
]

/** The checks of a page of `aSession`, each from a page that was just opened. */
const PAGE_CHECKS: readonly PageCheck[] = [
  {
    title: 'text of others makes no element and runs nothing',
    async run(tab) {
      for (const key of '123456') await tab.press(key)
      await tab.read(`document.querySelectorAll('details').forEach((one) => (one.open = true))`)
      assert.equal(await tab.read('document.images.length'), 0)
      assert.equal(await tab.read('document.scripts.length'), 2)
      assert.equal(await tab.read('globalThis.ran === undefined'), true)
    },
  },
  {
    title: 'the policy stops scripts and styles that are not those of the page',
    async run(tab) {
      await tab.read(`document.body.append(Object.assign(document.createElement('style'), {
        textContent: 'body { display: none }' }))`)
      assert.notEqual(await tab.read('getComputedStyle(document.body).display'), 'none')
      assert.match(tab.problems.splice(0).join('\n'), /Content Security Policy/)
    },
  },
  {
    title: 'k and j go to the entry before and after, and Back returns',
    async run(tab) {
      const now = await tab.read(MOMENT)
      await tab.press('k')
      assert.match(await tab.read(MOMENT), /^moment #\d+ of #\d+$/)
      await tab.press('j')
      assert.equal(await tab.read(MOMENT), now)
      await tab.click('#timeline li:nth-child(3) a')
      assert.match(await tab.read(MOMENT), /^moment #2 /)
      await tab.press('4')
      await tab.read(`new Promise((done) => {
        addEventListener('hashchange', () => done(), { once: true })
        history.back()
      })`)
      assert.equal(await tab.read('document.querySelector("#prompt").hidden'), true)
    },
  },
  {
    title: 'each view shows the moment: request, tools, skills, prompt, entry',
    async run(tab) {
      await tab.click('#timeline li:nth-child(4) a')
      const shows = {
        1: /Tools \(\d+\)[^]*cached/,
        2: /look\s+available/,
        3: /owls\s+active/,
        4: /SKILL TOOLS: Owls/,
        6: /#3 source\.opened/,
      }
      for (const [key, expected] of Object.entries(shows)) {
        await tab.press(key)
        assert.match(await tab.read(PANEL), expected)
      }
      await tab.press('k')
      await tab.press('2')
      assert.match(await tab.read(PANEL), /look\s+skill-inactive/)
    },
  },
  {
    title: 'a click on a tool shows its reasons and its definition',
    async run(tab) {
      await tab.click('#timeline li:nth-child(3) a')
      await tab.click('nav a:nth-child(2)')
      await tab.click('#tools details[data-mark=inactive] summary')
      assert.match(await tab.read(PANEL), /To change it: [^]*Input schema/)
    },
  },
  {
    title: 'a mark shows the difference of two entries, in the order of time',
    async run(tab) {
      await tab.press('d')
      await tab.press('7')
      await tab.click('#timeline li:nth-child(3) a')
      const difference = await tab.read<string>(PANEL)
      assert.match(difference, /From #2 to #\d+/)
      assert.match(difference, /\+ listen/)
      assert.doesNotMatch(difference, /\+ look/)
      await tab.press('Escape')
      assert.match(await tab.read(PANEL), /- look/)
    },
  },
  {
    title: '[ goes to the step before that lost a part of the cache',
    async run(tab) {
      await tab.press('[')
      assert.match(await tab.read(text('#timeline a[aria-current]')), /tokens kept: /)
    },
  },
  {
    title: 'nothing is wider than the window, at three sizes, in light and dark',
    async run(tab) {
      const papers = new Set<string>()
      for (const value of ['light', 'dark']) {
        await tab.send('Emulation.setEmulatedMedia', {
          features: [{ name: 'prefers-color-scheme', value }],
        })
        papers.add(await tab.read('getComputedStyle(document.body).backgroundColor'))
        for (const size of SIZES) {
          await tab.send('Emulation.setDeviceMetricsOverride', {
            ...size,
            deviceScaleFactor: 1,
            mobile: false,
          })
          for (const key of '123456') {
            await tab.press(key)
            const wider = 'document.documentElement.scrollWidth - innerWidth'
            assert.ok(
              (await tab.read<number>(wider)) <= 0,
              `${size.width} columns, view ${key}, ${value}`,
            )
          }
        }
      }
      assert.equal(papers.size, 2)
    },
  },
]

const WITHOUT_SCRIPT: PageCheck = {
  title: 'without JavaScript there are the timeline and the newest moment, and the page says so',
  async run(tab) {
    const shown = await tab.read<string>('document.body.innerText')
    assert.match(shown, /Without JavaScript, this page shows the newest moment only/)
    assert.match(shown, /turn 1 began[^]*Conversation[^]*listen\s+available/)
  },
}
