import { bindHandlers } from '../../../src/workbench/project/folders/bind-handlers.ts'
import { loadSkills } from '../../../src/workbench/project/folders/load-skills.ts'

/** Prints what the one shared tool of a folder answers for `{ n: 21 }`. */
const { tools } = await bindHandlers(await loadSkills(process.argv[2] ?? ''), { trusted: true })
console.log(await tools[0]?.execute?.({ n: 21 }, {} as never))
