import { cp, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readEvals } from '../../../../src/workbench/project/scenarios/read-evals.ts'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { runCommand } from '../run-command.ts'

interface Tested {
  readonly file: string
  readonly name: string
  readonly ok: boolean | null
  readonly note: string
  readonly faults: readonly { readonly message: string }[]
}

async function tested(argv: readonly string[], cwd: string) {
  const { code, stdout } = await runCommand(['test', '--json', ...argv], { cwd })
  return { code, results: JSON.parse(stdout) as readonly Tested[] }
}

const CORPORA = ['tests/corpus', 'tests/corpus-evals'].map((path) => resolve(path))

test('all evals and trigger sets of the corpus are read, and nothing passes that was not judged', async () => {
  const cwd = await temporaryFolder()
  for (const corpus of CORPORA) await cp(corpus, cwd, { recursive: true })
  const { results } = await tested(['.'], cwd)
  expect(results.flatMap(({ faults }) => faults)).toEqual([])
  const files = new Map<string, number>()
  for (const { file } of results) files.set(file, (files.get(file) ?? 0) + 1)
  expect(Object.fromEntries([...files].sort())).toMatchInlineSnapshot(`
    {
      "88lin+diataxis-docs-skill/evals/evals.json": 32,
      "AvdLee+Xcode-Disk-Cleanup-Agent-Skill/evals/evals.json": 4,
      "AvdLee+Xcode-Disk-Cleanup-Agent-Skill/evals/trigger-evals.json": 20,
      "franklinnolasco7+wcag-accessibility-skill/evals/trigger-evals.json": 65,
      "gfargo+tui-design-skill/evals/build-evals.json": 3,
      "gfargo+tui-design-skill/evals/evals.json": 3,
      "gfargo+tui-design-skill/evals/trigger-evals.json": 24,
      "gfargo+tui-design-skill/evals/v161-correction-evals.json": 7,
      "jovd83+defensive-appsec-review-skill/evals/evals.json": 4,
      "jovd83+defensive-appsec-review-skill/evals/local-evals.json": 1,
      "jovd83+defensive-appsec-review-skill/evals/trigger-evals.json": 16,
      "openai+skills/skills/.curated/notion-knowledge-capture/evaluations/conversation-to-wiki.json": 1,
      "openai+skills/skills/.curated/notion-knowledge-capture/evaluations/decision-record.json": 1,
      "openai+skills/skills/.curated/notion-meeting-intelligence/evaluations/decision-meeting-prep.json": 1,
      "openai+skills/skills/.curated/notion-meeting-intelligence/evaluations/status-meeting-prep.json": 1,
      "openai+skills/skills/.curated/notion-research-documentation/evaluations/basic-research.json": 1,
      "openai+skills/skills/.curated/notion-research-documentation/evaluations/research-to-database.json": 1,
      "openai+skills/skills/.curated/notion-spec-to-implementation/evaluations/basic-spec-implementation.json": 1,
      "openai+skills/skills/.curated/notion-spec-to-implementation/evaluations/spec-to-tasks.json": 1,
    }
  `)
  // Every eval of every file, and of those that pass, what the file says.
  for (const [file, count] of files) {
    const read = readEvals(await readFile(join(cwd, file), 'utf8'))
    expect(count).toBe(read?.evals.length)
    const own = results.filter((one) => one.file === file)
    for (const [index, one] of (read?.evals ?? []).entries()) {
      const { ok, note } = own[index] as Tested
      if (ok !== null) expect(one).toMatchObject({ triggers: true })
      if (ok === true) expect(note).toMatch(/^The search has it at rank [1-5] of 44 skills\.$/u)
    }
  }
  const count = (ok: boolean | null) => results.filter((one) => one.ok === ok).length
  expect({
    passed: count(true),
    failed: count(false),
    notJudged: count(null),
  }).toMatchInlineSnapshot(`
    {
      "failed": 29,
      "notJudged": 116,
      "passed": 42,
    }
  `)
})

const EVALS = {
  skill_name: 'alpha',
  evals: [
    { id: 1, prompt: 'Say hello.', assertions: [{ name: 'a', type: 'contains', value: 'hello' }] },
    { id: 2, prompt: 'Say nothing bad.', expectations: [{ type: 'not_contains', value: 'hello' }] },
    {
      id: 3,
      prompt: 'Say hello well.',
      assertions: [{ type: 'contains', value: 'hello' }, 'It is friendly.'],
    },
    {
      id: 4,
      prompt: 'Write an essay.',
      expected_output: 'An essay.',
      expectations: ['It is long.'],
    },
    { id: 5, prompt: 'Read it.', files: ['a.csv'], assertions: [{ type: 'contains', value: 'h' }] },
    { id: 6, prompt: 'Match.', assertions: [{ type: 'regex', value: 'h.*' }] },
    { id: 7, prompt: 'Load it.', should_trigger: true },
    { id: 8, prompt: 'Do something else.', should_trigger: false },
    { id: 9, prompt: 'Load it not.', should_trigger: false },
  ],
}

const TREE = {
  'skills/alpha/SKILL.md': skillText('alpha'),
  'skills/alpha/evals/evals.json': JSON.stringify(EVALS),
  'skills/alpha/evals/package.json': '{"name":"evals"}',
}

test('a real model answers the prompts; prose, files and unknown checks are not judged', async () => {
  const cwd = await temporaryFolder(TREE)
  const server = await openWireServer({
    answers: ({ body }) => {
      const text = JSON.stringify(body['messages'])
      if (text.includes('"role":"tool"') || !text.includes('Load it')) return 'hello'
      return [{ name: 'loadSkill', input: { skillName: 'alpha' } }]
    },
  })
  const { code, results } = await tested(['--model', `${server.url}/v1#local`], cwd)
  await server.close()
  expect(code).toBe(1)
  expect(results.map(({ name, ok, note }) => `${name} ${ok} ${note}`)).toMatchInlineSnapshot(`
    [
      "alpha: 1 Say hello. true ",
      "alpha: 2 Say nothing bad. false ",
      "alpha: 3 Say hello well. null What can be compared holds. 1 expectation is prose.",
      "alpha: 4 Write an essay. null 1 expectation is prose.",
      "alpha: 5 Read it. null The prompt needs files.",
      "alpha: 6 Match. null 1 expectation is prose.",
      "alpha: 7 Load it. true ",
      "alpha: 8 Do something else. true ",
      "alpha: 9 Load it not. false ",
    ]
  `)
})

test('without a model, nothing of a skill alone can be judged, which is no success', async () => {
  const cwd = await temporaryFolder(TREE)
  const { code, stdout } = await runCommand(['test', '--junit', 'results.xml'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toMatchInlineSnapshot(`
    "--   6 evals not judged. The answer of a model is judged: it needs --model.
    --   1 eval not judged. Among 1 skills, a search finds each. It needs --model.
    --   2 evals not judged. Whether a skill stays inactive needs --model.
    0 scenarios, 0 expectations: nothing was judged
    "
  `)
  const junit = await readFile(join(cwd, 'results.xml'), 'utf8')
  expect(junit).toContain('tests="9" failures="0" skipped="9"')
})

test('a scripted server answers no prompt of an eval, so through an adapter they are judged as without a model', async () => {
  const cwd = await temporaryFolder(TREE)
  for (const adapter of ['openai', 'ai-sdk']) {
    const { results } = await tested(['--adapter', adapter], cwd)
    expect(results.map(({ ok }) => ok)).toEqual(Array(9).fill(null))
  }
})

test('evals of a skill that is not there, and an evals.json without evals, are failures', async () => {
  const cwd = await temporaryFolder({
    'notes/evals/evals.json':
      '{"skill_name":"gamma","evals":[{"prompt":"a","expected_output":"b"}]}',
    'skills/alpha/SKILL.md': skillText('alpha'),
    'skills/alpha/evals/evals.json': '{"evals":[]}',
  })
  const { code, results } = await tested([], cwd)
  expect(code).toBe(1)
  expect(results.flatMap(({ faults }) => faults.map(({ message }) => message))).toEqual([
    'No skill that is defined here is that of the evals: "gamma".',
    'It has no list of evals with "prompt".',
  ])
})
