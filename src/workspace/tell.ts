/** A listener that throws, or rejects, is the host's to mend; what it was told of stands. */
export async function tell(listener: () => unknown): Promise<void> {
  try {
    await listener()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error), 'LoadoutListenerWarning')
  }
}
