/** The smallest screen of Ink: a line on the other screen, left by `q`. `measure-start.ts` joins it with Ink into one file. */
import { Box, render, Text, useApp, useInput } from 'ink'
import { createElement } from 'react'

function Hello() {
  const { exit } = useApp()
  useInput((input) => {
    if (input === 'q') exit()
  })
  return createElement(Box, { flexDirection: 'column' }, createElement(Text, null, 'hello: q quit'))
}

render(createElement(Hello), { alternateScreen: true, incrementalRendering: true, maxFps: 60 })
