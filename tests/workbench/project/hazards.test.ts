import { execFileSync, fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadSkills } from '../../../src/workbench/project/folders/load-skills.ts'
import { openProject } from '../../../src/workbench/project/folders/open-project.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import { FIXED_LIMITS } from '../../../src/workbench/project/walk/load-options.ts'
import { skillText, temporaryFolder, type Tree } from './temporary-folder.ts'

/**
 * Hazards of files that come from elsewhere, row by row, on real files. Reading of skills alone has
 * more tests in `load-hazards`, `read-inside` and `skill-file-reader`; what a model and a person
 * then see is tested with `render/prompt`.
 */

const FRONT = '---\nname: t\ndescription: D.\n---\n\nText.\n'

/** Every kind of file that is read for what it says, with sound content. */
const KINDS = [
  { kind: 'skill', path: 'skills/t/SKILL.md', text: FRONT },
  { kind: 'toolset', path: 'toolsets/t/TOOLSET.md', text: FRONT.replace('D.', 'D.\ntools: a') },
  { kind: 'rules of a toolset', path: 'toolsets/t/RULES.md', text: 'Read first.' },
  { kind: 'tool of a toolset', path: 'toolsets/t/t.md', text: FRONT },
  { kind: 'agent', path: 'agents/t/AGENT.md', text: FRONT },
  { kind: 'described tool', path: 'tools/t/TOOL.md', text: FRONT },
  { kind: 'tool', path: 'tools/t/schema.json', text: '{"toolId":"t","description":"D."}' },
  { kind: 'summary', path: 'tools/t/doc_summary.md', text: 'One.\nTwo.' },
  { kind: 'documentation', path: 'tools/t/doc.md', text: '## Summary' },
  { kind: 'rules', path: 'rules/t.md', text: 'Read first.' },
  { kind: 'Carnet configuration', path: 'carnet.config.json', text: '{}' },
  { kind: 'Carnet manifest', path: 'carnet.manifest.json', text: '{"version":1}' },
] as const

const BESIDE: Tree = {
  'toolsets/t/RULES.md': FRONT.replace('D.', 'D.\ntools: a'),
  'toolsets/t/t.md': FRONT.replace('D.', 'D.\ntools: a'),
}

/** Things that may be in a file's place, and what is reported. */
const PLACES: readonly {
  readonly what: string
  readonly code: string
  readonly make: (path: string, text: string) => Promise<unknown> | unknown
}[] = [
  {
    what: 'a named pipe',
    code: 'file-not-regular',
    make: (path) => execFileSync('mkfifo', [path]),
  },
  { what: 'a socket', code: 'file-not-regular', make: listen },
  { what: 'a device', code: 'file-not-regular', make: (path) => symlink('/dev/zero', path) },
  { what: 'a folder', code: 'file-not-regular', make: (path) => mkdir(path) },
  {
    what: 'a link to nothing',
    code: 'file-not-found',
    make: (path) => symlink('/nowhere/x', path),
  },
  { what: 'a link to itself', code: 'link-broken', make: (path) => symlink(path, path) },
  {
    what: 'a link out',
    code: 'link-outside',
    make: async (path, text) => {
      const outside = await temporaryFolder({ 'x.md': text.replace('Text.', 'SECRET') })
      await symlink(join(outside, 'x.md'), path)
    },
  },
  {
    what: 'UTF-16',
    code: 'encoding-utf16',
    make: (path, text) => writeFile(path, Buffer.from(`\uFEFF${text}`, 'utf16le')),
  },
  {
    what: 'invalid UTF-8',
    code: 'encoding-invalid',
    make: (path, text) => writeFile(path, Buffer.concat([Buffer.from(text), Buffer.from([0xc3])])),
  },
  {
    what: 'a NUL byte',
    code: 'encoding-nul',
    make: (path, text) => writeFile(path, `${text}\0`),
  },
  {
    what: 'more than is read',
    code: 'file-too-large',
    // The bytes that are not written take no room on the disk.
    make: async (path, text) => {
      await writeFile(path, text)
      await truncate(path, FIXED_LIMITS.maxSkillBytes + 1)
    },
  },
]

describe.each(KINDS)('$kind', ({ path, text }) => {
  /** A sound skill, and around the file in question what it belongs to. */
  async function around(): Promise<string> {
    const isTool = /doc(?:_summary)?\.md$/.test(path)
    const root = await temporaryFolder({
      ...(!path.endsWith('manifest.json') && { 'skills/good/SKILL.md': skillText('good') }),
      ...(isTool && { 'tools/t/schema.json': '{"toolId":"t","description":"D."}' }),
      ...(path in BESIDE && { 'toolsets/t/TOOLSET.md': BESIDE[path] }),
    })
    await mkdir(dirname(join(root, path)), { recursive: true })
    return root
  }

  test.each(PLACES)('with $what in its place is $code, and the rest loads', async (place) => {
    const root = await around()
    await place.make(join(root, path), text)
    const other = await temporaryFolder({ 'other/SKILL.md': skillText('other') })
    const loaded = await loadSkills([root, other])
    expect(loaded.diagnostics).toContainEqual(
      expect.objectContaining({ code: place.code, file: join(root, path) }),
    )
    const names = loaded.skills.map(({ name }) => name)
    expect(names).toEqual(path.endsWith('manifest.json') ? ['other'] : ['good', 'other'])
    expect(JSON.stringify(loaded)).not.toContain('SECRET')
  })

  test('loads without such a finding when it is sound', async () => {
    const root = await around()
    await writeFile(join(root, path), text)
    const { diagnostics } = await loadSkills(root)
    const codes = new Set(PLACES.map(({ code }) => code))
    expect(diagnostics.filter(({ code }) => codes.has(code))).toEqual([])
  })
})

describe('YAML that attacks', () => {
  const bomb = `a0: &a0 x\n${Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]`).join('\n')}\n`
  const files = KINDS.filter(({ text }) => text.startsWith('---'))

  test.each([
    { what: 'an alias bomb', yaml: bomb, code: 'yaml-too-complex' },
    { what: 'a cycle', yaml: 'a: &a [*a]\n', code: 'yaml-too-complex' },
    { what: 'deep nesting', yaml: `a: ${'['.repeat(5_000)}\n`, code: 'yaml-too-complex' },
    { what: 'a key given twice', yaml: 'name: u\n', code: 'duplicate-key' },
    { what: 'a tag', yaml: 'a: !!js/function "x"\n', code: 'yaml-tag' },
    { what: 'too much of it', yaml: `a: ${'x'.repeat(30_000)}\n`, code: 'front-matter-too-long' },
  ])('$what is $code in every file that has front matter', async ({ yaml, code }) => {
    const tree = files.map(({ path, text }) => [path, text.replace('\ndesc', `\n${yaml}desc`)])
    const root = await temporaryFolder({
      ...Object.fromEntries(tree),
      'skills/good/SKILL.md': skillText('good'),
    })
    const { diagnostics, skills, toolsets, agents, tools } = await loadSkills(root)
    const found = diagnostics.filter((one) => one.severity === 'error')
    expect(new Set(found.map((one) => `${relative(root, one.file ?? '')} ${one.code}`))).toEqual(
      new Set(files.map(({ path }) => `${path} ${code}`)),
    )
    expect(skills.map(({ name }) => name)).toEqual(['good'])
    expect([toolsets, agents, tools]).toEqual([[], [], []])
  })

  test('front matter in JavaScript is refused and does not run', async () => {
    const mark = join(await temporaryFolder(), 'ran')
    const code = `---js\nrequire('node:fs').writeFileSync(${JSON.stringify(mark)}, '')\n---\n`
    const root = await temporaryFolder(
      Object.fromEntries(files.map(({ path }) => [path, code] as const)),
    )
    const { diagnostics } = await loadSkills(root)
    expect(diagnostics.map((one) => one.code)).toEqual(files.map(() => 'front-matter-engine'))
    await expect(rm(mark)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('<< and __proto__ as keys change nothing of anything', async () => {
    const root = await temporaryFolder({
      'a/SKILL.md': skillText('a', '<<: { description: other }\n__proto__: { tools: [x] }\n'),
    })
    const { skills, diagnostics } = await loadSkills(root)
    expect(skills).toMatchObject([{ description: 'Does a.', tools: [] }])
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-field'])
    expect(({} as Record<string, unknown>)['tools']).toBeUndefined()
  })
})

describe('links', () => {
  test('while another process swaps a skill for a link out 10,000 times, nothing outside is read', async () => {
    const outside = await temporaryFolder({ 'SKILL.md': skillText('evil'), 'x.md': 'SECRET' })
    const root = await temporaryFolder({ 'a/SKILL.md': skillText('a'), 'a/x.md': 'inside' })
    const swapper = fork(join(import.meta.dirname, 'swap-link.ts'), [
      join(root, 'a'),
      outside,
      '10000',
    ])
    onTestFinished(() => void swapper.kill())
    const messages: unknown[] = []
    swapper.on('message', (message) => messages.push(message))
    const secret = (await loadSkills(outside)).skills[0]?.files[0]?.hash
    let loads = 0
    // Its last message is the number of swaps.
    for (; typeof messages.at(-1) !== 'number'; loads += 1) {
      const { skills } = await loadSkills(root)
      for (const { name, files, readFile } of skills) {
        expect(name).toBe('a')
        expect(files.map(({ hash }) => hash)).not.toContain(secret)
        expect(await readFile?.('x.md').catch(() => 'refused')).not.toBe('SECRET')
      }
    }
    expect(messages).toEqual(['ready', 10_000])
    expect(loads).toBeGreaterThan(1)
  })

  test('a linked skill folder, a linked toolset and a linked agents folder do not lead out', async () => {
    const outside = await temporaryFolder({
      'agents/x/AGENT.md': FRONT,
      'x/SKILL.md': FRONT,
      't/TOOLSET.md': FRONT,
      'rules/x.md': 'SECRET',
    })
    const root = await temporaryFolder({ 'skills/a/SKILL.md': skillText('a') })
    await symlink(join(outside, 'agents'), join(root, 'agents'))
    await symlink(join(outside, 'x'), join(root, 'skills/x'))
    await symlink(join(outside, 't'), join(root, 'toolset'))
    await symlink(join(outside, 'rules'), join(root, 'rules'))
    const { items, diagnostics } = await loadSkills(root)
    expect(items.map(({ path }) => relative(root, path))).toEqual(['skills/a/SKILL.md'])
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(4).fill('link-outside'))
  })
})

describe('size', () => {
  test('a tree of 500 levels is cut and reported', async () => {
    const root = await temporaryFolder({ 'a/SKILL.md': skillText('a') })
    mkdirSync(join(root, 'd/'.repeat(500)), { recursive: true })
    mkdirSync(join(root, 'a', 'd/'.repeat(500)), { recursive: true })
    const { skills, diagnostics } = await loadSkills(root)
    expect(skills.map(({ name }) => name)).toEqual(['a'])
    expect(diagnostics.map(({ code }) => code).sort()).toEqual(['files-cut', 'scan-cut'])
  })
})

describe('names', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is a skill, toolset, agent, tool and topic like any other',
    async (name) => {
      const text = FRONT.replace('name: t', `name: ${name}`)
      const root = await temporaryFolder({
        [`skills/${name}/SKILL.md`]: text.replace('D.', `D.\nmetadata:\n  ${name}: x`),
        [`toolsets/${name}/TOOLSET.md`]: text.replace('D.', `D.\ntools: ${name}`),
        [`agents/${name}/AGENT.md`]: text,
        [`tools/${name}/schema.json`]: JSON.stringify({ toolId: name, description: 'D.' }),
        [`rules/${name}.md`]: 'Read first.',
      })
      const { catalog } = await openProject([root], { home: null, trusted: false })
      expect(catalog.skills.get(name)?.metadata[name]).toBe('x')
      expect(catalog.toolsets.get(name)?.tools).toEqual([name])
      expect(catalog.agents.get(name)?.prompt).toBe('Text.')
      expect(catalog.sharedTools.get(name)).toHaveLength(1)
      expect(catalog.rules.get(name)?.text).toBe('Read first.')
    },
  )

  test('of one name twice the first path wins on every disk, and both files are named', async () => {
    const root = await temporaryFolder({
      '.agents/skills/dup/SKILL.md': skillText('dup'),
      'agents/dup/AGENT.md': FRONT.replace('name: t', 'name: dup'),
      'agents/two/AGENT.md': FRONT.replace('name: t', 'name: dup'),
      'skills/dup/SKILL.md': skillText('dup'),
    })
    const { catalog, diagnostics } = await openProject([], { project: root, home: null })
    expect(catalog.skills.get('dup')?.path).toBe(join(root, '.agents/skills/dup/SKILL.md'))
    expect(catalog.agents.get('dup')?.path).toBe(join(root, 'agents/dup/AGENT.md'))
    const twice = diagnostics.filter(({ code }) => code.startsWith('duplicate-'))
    expect(twice.map(({ code, file, message }) => [code, file, message])).toEqual([
      [
        'duplicate-skill',
        join(root, 'skills/dup/SKILL.md'),
        expect.stringContaining('.agents/skills/dup/SKILL.md'),
      ],
      [
        'duplicate-agent',
        join(root, 'agents/two/AGENT.md'),
        expect.stringContaining('agents/dup/AGENT.md'),
      ],
    ])
  })

  test('look-alike letters and Unicode forms are noticed on real folders', async () => {
    const root = await temporaryFolder({
      'skills/pay/SKILL.md': skillText('pay'),
      'skills/p\u0430y/SKILL.md': skillText('p\u0430y'),
      'skills/caf\u00E9/SKILL.md': skillText('cafe\u0301'),
    })
    const { catalog, diagnostics } = await openProject([root], { home: null, trusted: false })
    expect([...catalog.skills.keys()]).toEqual(['caf\u00E9', 'pay', 'p\u0430y'])
    expect(diagnostics.map(({ code }) => code)).toEqual(['look-alike-name'])
  })
})

describe('text for a model', () => {
  test('escape sequences, bidi overrides and tags of a file are shown, not passed on', async () => {
    const hidden = '\u001B]52;c;aGk=\u0007 \u202Egnp.exe \u{E0041}\u{E0042} \u200B'
    const root = await temporaryFolder({
      'skills/a/SKILL.md': `---\nname: a\ndescription: "D ${hidden.replaceAll('\u001B', '\\e').replaceAll('\u0007', '\\a')}"\n---\n\nBody ${hidden}\n`,
      'agents/s/AGENT.md': `---\nname: s\ndescription: D\ninitialSkills: a\n---\n\nPrompt.\n`,
    })
    const { catalog } = await openProject([root], { home: null, trusted: false })
    const workspace = await VirtualWorkspace.open({ catalog, agent: 's', session: 'x' })
    const { instructions } = await workspace.prompt()
    expect(instructions).toContain('Body')
    for (const one of ['\u001B', '\u0007', '\u202E', '\u200B', '\u{E0041}']) {
      expect(instructions).not.toContain(one)
    }
    await workspace.close()
  })

  test('loading grants nothing, runs nothing and activates nothing', async () => {
    const root = await temporaryFolder({
      'skills/a/SKILL.md': `---\nname: a\ndescription: D\nallowed-tools: "*"\nhooks: ./run.sh\n---\n\n!\`touch ran\`\n`,
      'skills/a/inner/SKILL.md': skillText('inner'),
      'skills/a/tools/t/schema.json': '{"toolId":"t","description":"D"}',
      'skills/a/tools/t/handler.js': 'throw new Error("ran")',
    })
    const { catalog, diagnostics } = await openProject([root], { home: null, trusted: false })
    expect([...catalog.skills.keys()]).toEqual(['a'])
    expect(catalog.skills.get('a')?.permissions).toEqual(['*'])
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'unknown-field',
      'skill-nested',
      'handler-untrusted',
    ])
    const workspace = await VirtualWorkspace.open({ catalog, session: 'x' })
    expect(workspace.getAvailableTools().filter(({ name }) => name === 't')).toEqual([])
    await workspace.close()
  })
})

async function listen(path: string): Promise<void> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(path, resolve))
}
