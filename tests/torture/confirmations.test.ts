import { expect, test } from 'vitest'
import { confirmationAttacks } from '../../scripts/torture/confirmations/confirmation-attacks.ts'
import { holds } from './holds.ts'

test('no forged consent is accepted, and what was approved runs once, whoever races for it', async () => {
  const { figures } = await holds(confirmationAttacks, 1)
  expect(figures).toMatchObject({ 'races of two processes': 100 })
}, 60_000)
