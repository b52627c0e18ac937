/** Counts the steps of a validation. */
export const STEP_KEYWORD = 'loadoutStep'

/** Starts a schema with nothing evaluated; see `evaluatedKeywords`. */
export const EVALUATED_KEYWORD = 'loadoutEvaluated'

/** Says how many items are evaluated, where `unevaluatedItems` asks. */
export const SETTLED_KEYWORD = 'loadoutSettled'

/** `uniqueItems`, in time in proportion to the list, not to its square. */
export const UNIQUE_KEYWORD = 'loadoutUnique'

/** What each schema begins with that a validator is compiled from. */
export const STARTED = { [STEP_KEYWORD]: true, [EVALUATED_KEYWORD]: true }

/** The `maxContains` of a list that may hold any number of fitting items. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER
