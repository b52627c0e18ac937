import { type Catalog, createCatalog } from 'loadout'
import { bindHandlers, type Loaded, type LoadedCarnet, loadCarnet, loadSkills } from 'loadout/node'
import { expectTypeOf, test } from 'vitest'

test('what a loader returns makes a catalog, also with more, and bound code does not change its type', async () => {
  const skills = await loadSkills()
  const carnet = await loadCarnet('agent')
  expectTypeOf(createCatalog(skills)).resolves.toEqualTypeOf<Catalog>()
  expectTypeOf(createCatalog(carnet)).resolves.toEqualTypeOf<Catalog>()
  expectTypeOf(bindHandlers(skills, { trusted: true })).resolves.toEqualTypeOf<Loaded>()
  expectTypeOf(bindHandlers(carnet, { trusted: true })).resolves.toEqualTypeOf<LoadedCarnet>()
  await createCatalog({ ...skills, skills: [...skills.skills], strict: true })
  // @ts-expect-error a typo
  await createCatalog({ skills: [], strickt: true })
  // @ts-expect-error a catalog has no variables
  await createCatalog({ skills: [], variables: {} })
  // @ts-expect-error a promise is awaited first
  await createCatalog(loadSkills())
})
