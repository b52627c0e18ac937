import { thrownMessage } from './thrown-message.ts'

/** A listener that throws, or rejects, is the host's to mend; what it was told of stands. */
export async function tell(listener: () => unknown): Promise<void> {
  try {
    await listener()
  } catch (error) {
    const detail = error instanceof Error && error.stack !== undefined ? error.stack : ''
    process.emitWarning(thrownMessage(error), { type: 'LoadoutListenerWarning', detail })
  }
}
