export { adapterModel, type WireAdapter } from '../workbench/project/scenarios/adapter-model.ts'
export type { UnmetExpectation } from '../workbench/project/scenarios/judge-step.ts'
export {
  readScenario,
  type ReadScenario,
  type Scenario,
  type ScenarioFault,
  scenarioSchema,
} from '../workbench/project/scenarios/read-scenario.ts'
export {
  runScenario,
  type ScenarioHost,
  type ScenarioResult,
  type StepResult,
} from '../workbench/project/scenarios/run-scenario.ts'
export type {
  ScenarioConversation,
  ScenarioModel,
  ScenarioSession,
} from '../workbench/project/scenarios/scenario-model.ts'
export {
  type MatcherAnswer,
  scenarioMatchers,
} from '../workbench/project/scenarios/scenario-matchers.ts'
export {
  type AdapterCase,
  adapterContract,
} from '../connections/wires/contract/adapter-contract.ts'
export type { EventLogCase, TestTools } from '../connections/logs/contract/event-log-case.ts'
export { eventLogContract } from '../connections/logs/contract/event-log-contract.ts'
