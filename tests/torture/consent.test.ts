import { expect, test } from 'vitest'
import { consent } from '../../scripts/torture/consent.ts'
import { holds } from './holds.ts'

test('consent that is not of the user, in each way, runs nothing unasked, and the user’s own counts in every log', async () => {
  const { figures } = await holds(consent, 0.06)
  expect(figures).toMatchObject({ 'sessions with consent of the user, opened again': 60 })
})
