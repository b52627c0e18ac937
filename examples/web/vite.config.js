import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const parts = fileURLToPath(new URL('node-parts.js', import.meta.url))

const NODE = ['node:crypto', 'node:util', 'node:async_hooks']

export default defineConfig({
  resolve: {
    alias: NODE.map((find) => ({ find, replacement: parts })),
    dedupe: ['react'],
  },
  build: { target: 'esnext' },
})
