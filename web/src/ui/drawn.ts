/**
 * Does something once the page shows the change just made, and before the next keystroke: Preact renders in a
 * microtask, and this one comes after it.
 */
export const whenDrawn = (then: () => void): void => queueMicrotask(then)
