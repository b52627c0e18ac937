import type { Tool as AiTool, ToolSet } from 'ai'
import type {
  Agent,
  Carnet,
  CarnetConversation,
  CarnetSessionState,
  DomainToolSet,
  GeneratedPrompt,
  Manifest,
  SkillMetadata,
  ToolFilteringDiagnostics,
} from 'loadout/carnet'
import { expectTypeOf, test } from 'vitest'

test('the methods have the types of the published package', () => {
  expectTypeOf<Carnet['getTools']>().returns.toEqualTypeOf<ToolSet>()
  expectTypeOf<Carnet['getSystemPrompt']>().returns.toEqualTypeOf<string>()
  expectTypeOf<Carnet['generateAgentPrompt']>().returns.toEqualTypeOf<GeneratedPrompt>()
  expectTypeOf<Carnet['getAgent']>().returns.toEqualTypeOf<Agent | undefined>()
  expectTypeOf<Carnet['listAvailableSkills']>().returns.toEqualTypeOf<SkillMetadata[]>()
  expectTypeOf<Carnet['getSessionState']>().returns.toEqualTypeOf<CarnetSessionState | null>()
  expectTypeOf<Carnet['session']>().returns.toEqualTypeOf<CarnetConversation>()
  expectTypeOf<DomainToolSet>().toEqualTypeOf<Record<string, AiTool>>()
})

test('tools are given as a record or as names', () => {
  expectTypeOf<Carnet['getTools']>().toBeCallableWith('a', { tools: {} as DomainToolSet })
  expectTypeOf<Carnet['getTools']>().toBeCallableWith('a', { tools: ['loadSkill'] })
})

test('a manifest written for the published types fits', () => {
  expectTypeOf<{
    name: string
    description: string
    initialSkills: string[]
    skills: string[]
    prompt: string
  }>().toExtend<Agent>()
  expectTypeOf<Manifest['skills'][string]['files']>().toEqualTypeOf<
    { path: string; description: string; content: string }[] | undefined
  >()
  expectTypeOf<ToolFilteringDiagnostics['reason']>().toEqualTypeOf<string>()
})
