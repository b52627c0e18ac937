export {
  type LangChainOptions,
  type LangChainRuntime,
  loadoutMiddleware,
  type LoadoutMiddleware,
} from '../connections/wires/langchain/loadout-middleware.ts'
export { toolsFromLangChain } from '../connections/wires/langchain/tools-from-lang-chain.ts'
