export {
  type AgentModel,
  type AgentOptions,
  type AgentRun,
  loadoutAgent,
} from '../connections/wires/openai-agents/loadout-agent.ts'
