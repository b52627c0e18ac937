import { execFile } from 'node:child_process'
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { InventoryEntry } from '../../../src/workbench/project/inventory/inventory-entry.ts'
import { skillText, temporaryFolder, type Tree, writeTree } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

/** A project in a repository, a home, and a folder that is neither. */
interface Plant {
  readonly seed: number
  readonly name: string
  readonly text: string
  /** The root of the repository. */
  readonly top: string
  readonly home: string
  readonly elsewhere: string
  write(tree: Tree): Promise<void>
}

/** The place of a planted skill, from the root of the repository or absolute, and how it is asked for. */
interface Planted {
  readonly at: string
  readonly state: InventoryEntry['state']
  /** The current folder, from the root of the repository. */
  readonly cwd?: string
  readonly paths?: readonly string[]
  /** The name under which it is loaded in the end. */
  readonly loaded?: string
}

type Kind = (plant: Plant) => Promise<Planted>

const pick = <One>(list: readonly One[], { seed }: Plant): One => list[seed % list.length] as One

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

/** Plants a text at a path from the root of the repository. */
const planted =
  (
    path: (plant: Plant) => string,
    state: Planted['state'],
    more: (plant: Plant) => Partial<Planted> & { readonly tree?: Tree } = () => ({}),
  ): Kind =>
  async (plant) => {
    const { tree, ...rest } = more(plant)
    await plant.write({ [path(plant)]: plant.text, ...tree })
    return { at: path(plant), state, ...rest }
  }

const OWN = ['.claude/skills', '.agents/skills', '.loadout/skills', 'skills']
const OTHERS = ['.github', '.codex', '.cursor', '.gemini', '.opencode', '.pi'].map(
  (client) => `${client}/skills`,
)
const PLUGIN = { 'plugins/kit/.claude-plugin/plugin.json': '{ "name": "kit" }' }

const KINDS: Readonly<Record<string, Kind>> = {
  'one file': planted((one) => `${pick(OWN, one)}/${one.name}.md`, 'one-file'),
  'README.md instead of SKILL.md': planted(
    (one) => `${pick(OWN, one)}/${one.name}/README.md`,
    'one-file',
  ),
  'skill.json and instructions.md': async (one) => {
    const folder = `${pick(OWN, one)}/${one.name}`
    await one.write({
      [`${folder}/skill.json`]: '{}',
      [`${folder}/instructions.md`]: '# How\n\nDo it.\n',
    })
    return { at: `${folder}/instructions.md`, state: 'one-file' }
  },
  'SKILL.MD': planted((one) => `${pick(OWN, one)}/${one.name}/SKILL.MD`, 'misspelt'),
  'SKILL with another end': planted(
    (one) =>
      `${pick(OWN, one)}/${one.name}/${pick(['SKILLS.md', 'SKILL.markdown', 'SKILL', 'SKILL.md.txt'], one)}`,
    'misspelt',
  ),
  'Skill.md': planted((one) => `${pick(OWN, one)}/${one.name}/Skill.md`, 'misspelt'),
  'in a skill': planted(
    (one) => `${pick(OWN, one)}/kit/skills/${one.name}/SKILL.md`,
    'nested',
    (one) => ({ tree: { [`${pick(OWN, one)}/kit/SKILL.md`]: skillText('kit') } }),
  ),
  'in the references of a skill': planted(
    (one) => `${pick(OWN, one)}/it's a kit/references/${one.name}/SKILL.md`,
    'nested',
    (one) => ({ tree: { [`${pick(OWN, one)}/it's a kit/SKILL.md`]: skillText('kit') } }),
  ),
  'in a skill that is broken': planted(
    (one) => `${pick(OWN, one)}/pack/skills/${one.name}/SKILL.md`,
    'nested',
    (one) => ({ tree: { [`${pick(OWN, one)}/pack/SKILL.md`]: '# No front matter\n' } }),
  ),
  'too deep': planted(
    (one) => `${pick(OWN, one)}/${'d/'.repeat(16 + (one.seed % 5))}${one.name}/SKILL.md`,
    'cut',
  ),
  'behind a link out of the repository': async (one) => {
    await writeTree(one.elsewhere, { 'its name/SKILL.md': one.text })
    const path = join(one.top, pick(OWN, one), one.name)
    await link(path, join(one.elsewhere, 'its name'))
    return { at: path, state: 'link-out' }
  },
  'behind a link of all skills out of the repository': async (one) => {
    await writeTree(one.elsewhere, { [`${one.name}/SKILL.md`]: one.text })
    const path = join(one.top, pick(OWN, one))
    await link(path, one.elsewhere)
    return { at: join(path, one.name), state: 'link-out' }
  },
  'behind a link of a folder above the skills': async (one) => {
    await writeTree(one.elsewhere, { [`skills/${one.name}/SKILL.md`]: one.text })
    await link(join(one.top, '.claude'), one.elsewhere)
    return { at: join(one.top, '.claude/skills', one.name), state: 'link-out' }
  },
  'a SKILL.md that is a link out of its folder': async (one) => {
    await one.write({ 'shared/rules.md': one.text })
    const path = join(one.top, pick(OWN, one), one.name, 'SKILL.md')
    await link(path, join(one.top, 'shared/rules.md'))
    return { at: path, state: 'broken' }
  },
  'behind a link of the home into a dot folder': async (one) => {
    await writeTree(one.home, { [`.dotfiles/${one.name}/SKILL.md`]: one.text })
    const path = join(one.home, pick(OWN.slice(0, 3), one), one.name)
    await link(path, join(one.home, '.dotfiles', one.name))
    return { at: path, state: 'link-out' }
  },
  'a folder of another client': planted(
    (one) => `${pick(OTHERS, one)}/${one.name}/SKILL.md`,
    'other-client',
  ),
  'a folder of another client in a parent': planted(
    (one) => `${pick(OTHERS, one)}/${one.name}/SKILL.md`,
    'other-client',
    () => ({ cwd: 'apps/web' }),
  ),
  'a folder of another client in the home': async (one) => {
    const path = join(one.home, pick(OTHERS, one), one.name, 'SKILL.md')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, one.text)
    return { at: path, state: 'other-client' }
  },
  'in a plugin': planted(
    (one) => `plugins/kit/skills/${one.name}/SKILL.md`,
    'plugin',
    () => ({ tree: PLUGIN }),
  ),
  'a command': planted((one) => `.claude/commands/${one.name}.md`, 'command'),
  'a command of a plugin': planted(
    (one) => `plugins/kit/commands/${one.name}.md`,
    'command',
    () => ({ tree: PLUGIN }),
  ),
  'an agent': planted((one) => `.claude/agents/${one.name}.md`, 'agent'),
  'an agent of a plugin': planted(
    (one) => `plugins/kit/agents/${one.name}.md`,
    'agent',
    () => ({ tree: PLUGIN }),
  ),
  'above, where parents are left out': planted(
    (one) => `${pick(OWN, one)}/${one.name}/SKILL.md`,
    'above',
    () => ({
      cwd: 'apps/web',
      tree: { 'apps/web/loadout.config.json': '{ "folders": { "parents": false } }' },
    }),
  ),
  'above the repository': async (one) => {
    const path = join(dirname(one.top), pick(OWN, one), one.name, 'SKILL.md')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, one.text)
    return { at: path, state: 'above' }
  },
  'outside of a repository, above': async (one) => {
    await writeTree(one.elsewhere, {
      [`${pick(OWN, one)}/${one.name}/SKILL.md`]: one.text,
      'a b/c/x.txt': '',
    })
    const at = join(one.elsewhere, pick(OWN, one), one.name, 'SKILL.md')
    return { at, state: 'above', cwd: join(one.elsewhere, 'a b/c') }
  },
  'above a repository in the repository': planted(
    (one) => `${pick(OWN, one)}/${one.name}/SKILL.md`,
    'above',
    () => ({ cwd: 'inner', tree: { 'inner/.git/HEAD': 'ref: refs/heads/main\n' } }),
  ),
  below: planted((one) => `apps/web/${pick(OWN, one)}/${one.name}/SKILL.md`, 'below'),
  'in another package': planted(
    (one) => `apps/api's/${pick(OWN, one)}/${one.name}/SKILL.md`,
    'elsewhere',
    () => ({ cwd: 'apps/web' }),
  ),
  'in an installed package': planted(
    (one) => `node_modules/${pick(['pack', '@we/pack'], one)}/skills/${one.name}/SKILL.md`,
    'package',
  ),
  'in another folder': planted(
    (one) => `${pick(['docs', 'src/it is', '.claude', '.agents'], one)}/${one.name}/SKILL.md`,
    'elsewhere',
  ),
  'in none of the given paths': planted(
    (one) => `.claude/skills/${one.name}/SKILL.md`,
    'elsewhere',
    () => ({ paths: ['skills'], tree: { 'skills/other/SKILL.md': skillText('other') } }),
  ),
  'with the name of another': planted(
    () => '.claude/skills/second/SKILL.md',
    'shadowed',
    (one) => ({
      tree: { [`.agents/skills/first/SKILL.md`]: skillText(one.name) },
      loaded: `${one.name}-2`,
    }),
  ),
  'without a description': async (one) => {
    const at = `${pick(OWN, one)}/${one.name}/SKILL.md`
    await one.write({ [at]: `---\nname: ${one.name}\n---\n` })
    return { at, state: 'broken' }
  },
  'in UTF-16': async (one) => {
    const at = `${pick(OWN, one)}/${one.name}/SKILL.md`
    await one.write({ [at]: Buffer.from(`\uFEFF${one.text}`, 'utf16le') })
    return { at, state: 'broken' }
  },
}

const NAMES = ['mend-links', 'größe', 'a.b', 'Tidy-CSV', '名前', 'x_1']

async function plantIn(kind: string, seed: number) {
  const root = await temporaryFolder()
  const top = join(root, "work/it's a project")
  const [home, elsewhere] = [join(root, 'home/me'), join(root, 'other/place')]
  const name = `${NAMES[seed % NAMES.length]}-${seed}`
  await writeTree(top, { '.git/HEAD': 'ref: refs/heads/main\n', 'apps/web/package.json': '{}' })
  await mkdir(home, { recursive: true })
  await mkdir(elsewhere, { recursive: true })
  const plant: Plant = {
    seed,
    name,
    text: skillText(name),
    top,
    home,
    elsewhere,
    write: (tree) => writeTree(top, tree),
  }
  const one = await (KINDS[kind] as Kind)(plant)
  const at = one.at.startsWith('/') ? one.at : join(top, one.at)
  const cwd = one.cwd?.startsWith('/') ? one.cwd : join(top, one.cwd ?? '')
  return { ...one, name, at, cwd, home, loaded: one.loaded ?? name }
}

const edits: readonly (readonly [RegExp, (text: string, found: RegExpExecArray) => string])[] = [
  [
    /^Add (?<value>".*") to "skills" in (?<file>.+)\.$/,
    (text, { groups }) => {
      const config = JSON.parse(text || '{}') as { skills?: string[] }
      const added = JSON.parse(groups?.['value'] ?? '') as string
      return JSON.stringify({ ...config, skills: [...(config.skills ?? []), added] })
    },
  ],
  [
    /^Write (?<value>"folders": .*) in (?<file>.+)\.$/,
    (text, { groups }) =>
      JSON.stringify({ ...JSON.parse(text || '{}'), ...JSON.parse(`{${groups?.['value']}}`) }),
  ],
  [
    /^Write "(?<value>name: .*)" in the front matter of (?<file>.+)\.$/,
    (text, { groups }) => text.replace(/^name:.*$/m, groups?.['value'] ?? ''),
  ],
]

/** Follows a fix as a person does. Returns what the last command of Loadout printed, if there was one. */
async function follow(fix: string, { cwd, home, at }: Awaited<ReturnType<typeof plantIn>>) {
  for (const [pattern, change] of edits) {
    const found = pattern.exec(fix)
    if (found === null) continue
    const file = join(
      found.groups?.['file']?.startsWith('/') ? '' : cwd,
      found.groups?.['file'] ?? '',
    )
    await writeFile(file, change(await readFile(file, 'utf8').catch(() => ''), found))
    return null
  }
  if (fix.startsWith('Add `description:`')) {
    await writeFile(at, (await readFile(at, 'utf8')).replace('\nname', '\ndescription: It.\nname'))
    return null
  }
  if (fix === 'Save it as UTF-8.') {
    await writeFile(at, (await readFile(at)).toString('utf16le'))
    return null
  }
  let printed: string | null = null
  for (const command of fix.split(' && ')) {
    if (!command.startsWith('loadout ')) await run('sh', ['-c', command], { cwd })
    else {
      const { stdout } = await run('sh', ['-c', `printf '%s\\0' ${command}`], { cwd })
      const words = stdout.split('\0').slice(1, -1)
      const answer = await runCommand([...words, '--json'], { cwd, home })
      expect(answer).toMatchObject({ code: 0 })
      printed = answer.stdout
    }
  }
  return printed
}

const run = promisify(execFile)

/** Skills that are planted: one of each kind, or as many as `PLANTED` says. */
const COUNT = Number(process.env['PLANTED'] ?? Object.keys(KINDS).length)

const PLANTS = Array.from({ length: COUNT }, (_, at) => {
  const kinds = Object.keys(KINDS)
  const kind = kinds[at % kinds.length] as string
  // Without a count, each kind has a seed of its own, so that all variants are met.
  return { kind, seed: Math.floor(at / kinds.length) + (at % kinds.length) }
})

test.each(PLANTS)(
  'a skill $kind is found, and its fix loads it ($seed)',
  async ({ kind, seed }) => {
    const plant = await plantIn(kind, seed)
    const { name, at, state, cwd, home, paths = [], loaded } = plant
    const why = await runCommand(['why', name, ...paths, '--json'], { cwd, home })
    // The other two are skills that the session lists.
    const isListed = state === 'shadowed' || state === 'broken'
    expect(why).toMatchObject({ code: isListed ? 0 : 1 })
    const answer = JSON.parse(why.stdout) as {
      readonly onDisk?: readonly InventoryEntry[]
      readonly fix: string
      readonly because: readonly { readonly text: string; readonly file?: string }[]
    }
    const doctor = await runCommand(['doctor', ...paths, '--json'], { cwd, home })
    const { unread } = JSON.parse(doctor.stdout) as { readonly unread: readonly InventoryEntry[] }
    const { because, onDisk = unread.filter((one) => one.path === because[0]?.file) } = answer
    const [entry] = onDisk
    const place = await realpath(dirname(at)).then((folder) => [
      at,
      join(folder, at.slice(dirname(at).length + 1)),
    ])
    expect(place).toContain(entry?.path)
    expect(entry).toMatchObject({ state, reason: expect.stringMatching(/.+\.$/) })
    const told = because.map(({ text }) => text).join('\n')
    if (state !== 'broken') expect(told).toContain(entry?.reason)
    expect(state === 'shadowed' ? told : answer.fix).toContain(entry?.fix.split(' ').at(-1))
    // Only a name that is asked for is looked for behind a link.
    const isBehind = (one: InventoryEntry) => entry?.path === join(one.path, name)
    if (!unread.some(isBehind)) expect(unread).toContainEqual(entry)
    const printed =
      (await follow(entry?.fix ?? '', plant)) ??
      (await runCommand(['skills', '--json'], { cwd, home })).stdout
    const skills = JSON.parse(printed) as readonly {
      name: string
      status?: string
      kind?: string
    }[]
    const found = skills.filter(
      // An import writes names of agents in small letters.
      (one) => one.name.toLowerCase() === loaded.toLowerCase() && one.status !== 'shadowed',
    )
    expect(found).toHaveLength(1)
    expect(['inactive', undefined]).toContain(found[0]?.status)
  },
)
