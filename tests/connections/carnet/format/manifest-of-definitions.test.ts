import { expect, test } from 'vitest'
import { lostInCarnet } from '../../../../src/connections/carnet/format/manifest-of-definitions.ts'
import { defineAgent } from '../../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import { defineToolset } from '../../../../src/tools/define-toolset.ts'
import { toolNamed } from '../../../skills/tool-named.ts'

const plain = defineSkill({ name: 'plain', description: 'd' })
const source = { skills: [plain], agents: [], toolsets: [], tools: [] }

test('what a Carnet manifest can express is not reported', () => {
  expect(lostInCarnet(source, [toolNamed('find')])).toEqual([])
})

test('fields without a place in Carnet are named', () => {
  const skill = defineSkill({ name: 'a', description: 'd', triggers: ['t'], exclusive: true })
  const agent = defineAgent({ name: 'b', description: 'd', prompt: 'p', mode: 'voice' })
  expect(lostInCarnet({ ...source, skills: [skill], agents: [agent] }, [])).toMatchObject([
    { code: 'carnet-lost', message: expect.stringMatching(/"a": triggers, exclusive\./) },
    { code: 'carnet-lost', message: expect.stringMatching(/"b": mode\./) },
  ])
})

test('servers, and the rules of a toolset, are named', () => {
  const skill = defineSkill({ name: 'a', description: 'd', servers: ['s'], connect: 'activation' })
  const web = { name: 'web', description: 'd', tools: [], rules: 'Fetch first.', servers: ['s'] }
  const found = lostInCarnet({ ...source, skills: [skill], toolsets: [defineToolset(web)] }, [])
  expect(found).toMatchObject([
    { code: 'carnet-lost', message: expect.stringMatching(/skill "a": servers, connect\./) },
    { code: 'carnet-lost', message: expect.stringMatching(/toolset "web": rules, servers\./) },
  ])
})

test('a name that Carnet does not allow is reported with its replacement', () => {
  const [finding, ...more] = lostInCarnet(source, [toolNamed('find-page')])
  expect(more).toEqual([])
  expect(finding).toMatchObject({
    code: 'carnet-renamed',
    message: expect.stringContaining('"find_page"'),
  })
})
