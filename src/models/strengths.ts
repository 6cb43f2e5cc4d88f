/** What to expect of the model that is served, where people first meet it: on the playground and in the reference. */
export const STRENGTHS =
  'The model is small and reads English. It is good at topics, sentiment and finding a fact in a long text; it cannot ' +
  'calculate, or compare amounts or dates.'
