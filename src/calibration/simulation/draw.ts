/** The model's logits for a case, and the true probability of each option. */
export type Draw = { logits: number[]; truth: number[] }
