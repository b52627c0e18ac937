export { adapterModel, type WireAdapter } from '../project/scenarios/adapter-model.ts'
export type { UnmetExpectation } from '../project/scenarios/judge-step.ts'
export {
  readScenario,
  type ReadScenario,
  type Scenario,
  type ScenarioFault,
  scenarioSchema,
} from '../project/scenarios/read-scenario.ts'
export {
  runScenario,
  type ScenarioHost,
  type ScenarioResult,
  type StepResult,
} from '../project/scenarios/run-scenario.ts'
export type {
  ScenarioConversation,
  ScenarioModel,
  ScenarioSession,
} from '../project/scenarios/scenario-model.ts'
export { type MatcherAnswer, scenarioMatchers } from '../project/scenarios/scenario-matchers.ts'
