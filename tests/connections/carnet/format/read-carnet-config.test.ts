import { expect, test } from 'vitest'
import {
  NO_CARNET_CONFIG,
  readCarnetConfig,
} from '../../../../src/connections/carnet/format/read-carnet-config.ts'

const read = (value: unknown) =>
  readCarnetConfig(
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    'carnet.config.json',
  )

test('every field is read', () => {
  const config = {
    app: { globalInitialSkills: ['a'], globalSkills: ['b'] },
    variables: { COMPANY: 'Acme' },
    envPrefix: ['APP_'],
    include: ['skills/**'],
    exclude: ['**/draft'],
    output: './dist',
  }
  expect(read({ $schema: 'x', ...config })).toEqual({ config, diagnostics: [] })
})

test('a variable keeps its second =', () => {
  const { config } = read({ variables: ['QUERY=a=b', 'EMPTY='] })
  expect({ ...config.variables }).toEqual({ QUERY: 'a=b', EMPTY: '' })
})

test('names that JavaScript knows are variables like any other', () => {
  const { config } = read({ variables: ['__proto__=x', 'constructor=y'] })
  expect(Object.entries(config.variables)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ])
})

test.each([
  { value: { envPrefix: 1 }, code: 'config-field' },
  { value: { variables: { A: 1 } }, code: 'config-field' },
  { value: { app: { globalSkills: 'a' } }, code: 'config-field' },
  { value: { output: '' }, code: 'config-field' },
  { value: { outputs: 'x' }, code: 'unknown-field' },
  { value: '{', code: 'json-invalid' },
  { value: '[]', code: 'json-invalid' },
  { value: '{"output":"a","output":"b"}', code: 'duplicate-key' },
])('$value is $code and the defaults stay', ({ value, code }) => {
  const { config, diagnostics } = read(value)
  expect(config).toEqual(NO_CARNET_CONFIG)
  expect(diagnostics).toMatchObject([
    { code, file: 'carnet.config.json', line: expect.any(Number) },
  ])
})
