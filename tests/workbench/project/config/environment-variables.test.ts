import { expect, test } from 'vitest'
import { secretsFromEnvironment } from '../../../../src/workbench/project/config/environment-variables.ts'

test.each([
  { name: 'OPENAI_API_KEY', value: 'sk-123456789' },
  { name: 'GITHUB_TOKEN', value: 'ghp_123456' },
  { name: 'PGPASSWORD', value: 'open sesame' },
  { name: 'aws_secret_access_key', value: 'abcdefghij' },
  { name: 'STRIPE_SECRET_2', value: 'abcdefghij' },
])('the value of $name is a secret', ({ name, value }) => {
  expect(secretsFromEnvironment({ [name]: value })).toEqual([value])
})

test.each([
  { name: 'PWD', value: '/home/ada/project' },
  { name: 'SSH_AUTH_SOCK', value: '/tmp/ssh-x/agent.12' },
  { name: 'KEYBOARD_LAYOUT', value: 'dvorak-programmer' },
  { name: 'MONKEY', value: 'a long enough text' },
  { name: 'DEBUG_TOKEN', value: 'short' },
  { name: 'API_KEY', value: undefined },
  { name: 'HOMEPAGE', value: 'https://ada@example.org/' },
])('the value of $name, $value, is none', ({ name, value }) => {
  expect(secretsFromEnvironment({ [name]: value })).toEqual([])
})

test('the password inside a URL is a secret, encoded and decoded', () => {
  const environment = { DATABASE_URL: 'postgres://ada:love%26lace@db.example.org/app' }
  expect(secretsFromEnvironment(environment)).toEqual(['love%26lace', 'love&lace'])
})

test('each secret comes once', () => {
  expect(secretsFromEnvironment({ A_KEY: 'same value', B_KEY: 'same value' })).toEqual([
    'same value',
  ])
})
