/** Numbers from 0 to below 1, as `Math.random` gives them; another source makes delays repeatable. */
export type Randomness = () => number
