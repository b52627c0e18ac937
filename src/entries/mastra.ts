export {
  type LoadoutProcessor,
  loadoutProcessor,
  type MastraOptions,
  type MastraRun,
} from '../connections/wires/mastra/loadout-processor.ts'
