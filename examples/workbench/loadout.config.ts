import { defineConfig } from 'loadout/node'
import { assistant } from './assistant.ts'
import { currentTime } from './current-time.ts'
import { notes } from './notes.ts'

export default defineConfig({
  skills: ['./skills', './public-skills'],
  agents: [assistant],
  components: [notes],
  tools: [currentTime],
})
