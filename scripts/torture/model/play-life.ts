import { createMemoryLog } from '../../../src/workspace/log/memory-log.ts'
import type { SearchPage } from '../../../src/workspace/offer/discovery/search-page.ts'
import { expected, firstModel, reopen, searched } from '../../../tests/torture/reference-model.ts'
import type { Model } from '../../../tests/torture/reference-state.ts'
import { rowsOf } from '../../../tests/torture/reference-tools.ts'
import type { Scene } from './deed.ts'
import { differenceOf } from './difference-of.ts'
import { brokenLaw } from './laws.ts'
import { doDeed, openLive, setClock } from './live-session.ts'
import { identityOf, skillsOf } from './universe.ts'

/** How a life went: how much of it there was, and where library and model first differ. */
export interface Life {
  readonly deeds: number
  readonly deaths: number
  readonly entries: number
  readonly difference: string | null
}

/** Live through scenes with the library and with the model, side by side. */
export async function playLife(scenes: readonly Scene[]): Promise<Life> {
  const kept = createMemoryLog()
  const clock = setClock()
  let policy = 0
  let live = await openLive(kept, clock, 'first', policy)
  let model = firstModel('first', policy)
  let [deeds, deaths] = [0, 0]
  const ended = (difference: string | null): Life => {
    const entries = live.workspace.state.seq + 1
    return { deeds, deaths, entries, difference }
  }
  let difference = differenceOf(live, model)
  if (difference !== null) return ended(`after the opening: ${difference}`)
  for (const { deed, dies } of scenes) {
    deeds += 1
    const where = `after ${JSON.stringify(deed)} (number ${deeds}): `
    if (deed.do === 'reopen') {
      const broken = await brokenLaw(live.workspace, kept)
      if (broken !== null) return ended(`before number ${deeds}: ${broken}`)
      await live.workspace.close()
      policy = deed.policy
      live = await openLive(kept, clock, deed.edition, policy)
      model = reopen(model, deed.edition, policy)
    } else if (deed.do === 'search') {
      const { code, page } = await doDeed(live, deed)
      if (code !== 'ok') return ended(`${where}it answered ${code}`)
      model = searched(model, offeredBy(page, model))
    } else {
      const { code: wanted, stages } = expected(model, deed)
      if (dies) live.log.die(dies.at, dies.append)
      const { code } = await doDeed(live, deed).catch((problem: unknown) => {
        if (!live.log.isDead) throw problem
        return { code: 'died' }
      })
      if (!live.log.isDead && code !== wanted) {
        return ended(`${where}it answered ${code}, not ${wanted}`)
      }
      const last = stages.at(-1) ?? model
      if (dies) {
        deaths += 1
        const candidates = live.log.isDead ? stages : [last]
        live = await openLive(kept, clock, model.edition, policy)
        const taken = candidates.map((one) => reopen(one, model.edition, policy))
        const now = live
        const match = taken.findLast((one) => differenceOf(now, one) === null)
        if (match === undefined) {
          return ended(`${where}its process died, and ${differenceOf(live, taken.at(-1) ?? last)}`)
        }
        model = match
      } else model = last
    }
    difference = differenceOf(live, model)
    if (difference !== null) return ended(where + difference)
  }
  const broken = await brokenLaw(live.workspace, kept)
  await live.workspace.close()
  return ended(broken === null ? null : `at the end: ${broken}`)
}

/** The tools of a page that a call may use: those that have to be loaded first are not found yet. */
function offeredBy(page: SearchPage | undefined, model: Model) {
  return (page?.tools ?? []).flatMap(({ name, skill, callable }) => {
    if (callable === 'load-first') return []
    const row = rowsOf(model).find((one) => one.name === name)
    if (row) return [{ name, owner: row.source.owner, identity: identityOf(row.claim.tool) }]
    const tool = skillsOf(model.edition)
      .find((one) => one.name === skill)
      ?.tools.find((one) => one.name === name)
    return tool && skill !== undefined ? [{ name, owner: skill, identity: identityOf(tool) }] : []
  })
}
