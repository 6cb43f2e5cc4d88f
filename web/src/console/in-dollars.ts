import { NANODOLLARS_PER_DOLLAR } from '../../../src/money/nanodollars.ts'

export const inDollars = (nanodollars: number): number => nanodollars / NANODOLLARS_PER_DOLLAR
