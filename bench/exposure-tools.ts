import { defineTool, type Tool } from 'loadout'
import { specOf } from './measure-pages.ts'
import { readToolSet, type SetTool } from './read-tool-set.ts'

/** The tools of seventy real servers, and real requests to them. */
export const realSet = readToolSet('livemcp')

/** Returns a number of items, spread evenly over all of them. */
export function spread<T>(all: readonly T[], count: number): readonly T[] {
  const step = all.length / count
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/** Returns a tool that can be called; its result does not matter here. */
export function asTool(tool: SetTool): Tool {
  return defineTool({ ...specOf(tool), execute: () => ({ done: true }) })
}

/** Names are `<server>__<tool>`. */
export function serverOf({ name }: SetTool): string {
  return name.split('__', 1)[0] ?? name
}
