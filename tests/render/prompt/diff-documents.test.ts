import { expect, test } from 'vitest'
import { buildPromptDocument } from '../../../src/render/prompt/build-prompt-document.ts'
import { diffDocuments } from '../../../src/render/prompt/diff-documents.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { aSession, aTool, wordCounter } from './a-session.ts'

const skills = ['alpha', 'beta'].map((name) =>
  defineSkill({
    name,
    description: `All about ${name}.`,
    instructions: `Work on ${name} with care.`,
    tools: [aTool(`${name}-tool`)],
  }),
)
const agentSaying = (prompt: string) => defineAgent({ name: 'agent', prompt })

test('an activation adds sections and changes one', async () => {
  const session = (await aSession({ skills, agents: [agentSaying('Be kind.')] })).open('alpha')
  const before = buildPromptDocument(session.input())
  const after = buildPromptDocument(session.open('beta').input())
  const difference = diffDocuments(before, after, wordCounter)
  expect(difference).toMatchInlineSnapshot(`
    {
      "changes": [
        {
          "after": 29,
          "before": 20,
          "id": "active-skills",
          "kind": "changed",
          "lines": [
            {
              "kind": "same",
              "text": "## Loaded skills

    These skills are loaded. Work by their instructions.

    ### alpha

    \`\`\`markdown
    Work on alpha with care.
    \`\`\`

    ",
            },
            {
              "kind": "added",
              "text": "### beta

    \`\`\`markdown
    Work on beta with care.
    \`\`\`

    ",
            },
          ],
          "title": "Loaded skills",
        },
        {
          "after": 8,
          "before": 0,
          "id": "skill-tools/beta",
          "kind": "added",
          "lines": [
            {
              "kind": "added",
              "text": "## SKILL TOOLS: Beta

    - \`beta-tool\`: Does beta-tool.

    ",
            },
          ],
          "title": "SKILL TOOLS: Beta",
        },
      ],
    }
  `)
})

test('a deactivation removes the sections of the skill', async () => {
  const session = (await aSession({ skills })).open('alpha')
  const { changes } = diffDocuments(
    buildPromptDocument(session.input()),
    buildPromptDocument(session.close('alpha').input()),
    wordCounter,
  )
  expect(changes.map(({ kind, id, after }) => [kind, id, after])).toEqual([
    ['removed', 'active-skills', 0],
    ['removed', 'skill-tools/alpha', 0],
  ])
})

test('equal states have no difference, even when built independently', async () => {
  const one = (await aSession({ skills })).open('alpha')
  const other = (await aSession({ skills })).open('alpha')
  const difference = diffDocuments(
    buildPromptDocument(one.input()),
    buildPromptDocument(other.input()),
    wordCounter,
  )
  expect(difference.changes).toEqual([])
})

test('a section with too many changes counts as replaced', async () => {
  const lines = (word: string) =>
    Array.from({ length: 3000 }, (_, index) => `${word} ${index}`).join('\n')
  const document = async (prompt: string) =>
    buildPromptDocument((await aSession({ agents: [agentSaying(prompt)] })).input())
  const { changes } = diffDocuments(
    await document(lines('old')),
    await document(lines('new')),
    wordCounter,
  )
  expect(changes[0]?.lines.map(({ kind, text }) => [kind, text.length])).toEqual([
    ['removed', lines('old').length + 2],
    ['added', lines('new').length + 2],
  ])
})
