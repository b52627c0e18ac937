import { realModel, ModelUnavailable } from './run/real-model.ts'
import { readOptions, WrongUsage } from './run/read-options.ts'
import { reportText } from './run/report-text.ts'
import { runAll } from './run/run-all.ts'
import { scriptedModel } from './run/scripted-model.ts'
import { servicesFromEnvironment } from './services-from-environment.ts'

// npm run example:cms -- [--strategy bridge]... [--provider openai] [--model provider/name] [--json]
try {
  const { setups, provider, model, json } = readOptions(process.argv.slice(2))
  const real = model === null ? null : realModel(model, process.env)
  const report = await runAll({
    setups,
    provider,
    name: model ?? 'scripted',
    services: () => servicesFromEnvironment(process.env),
    model: (conversation) => real ?? scriptedModel(conversation),
  })
  console.log(json ? JSON.stringify(report, null, 2) : reportText(report))
} catch (error) {
  if (!(error instanceof WrongUsage || error instanceof ModelUnavailable)) throw error
  console.error(error.message)
  process.exitCode = 2
}
