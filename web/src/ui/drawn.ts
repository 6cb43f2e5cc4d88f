/**
 * Does something once the page shows the change just made, and before the next key: Preact draws in a microtask, which
 * this one comes after.
 */
export const whenDrawn = (then: () => void): void => queueMicrotask(then)
