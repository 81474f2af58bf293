/** Returns the logarithm of the odds that a share between 0 and 1 stands for. */
export const logOdds = (share: number): number => Math.log(share / (1 - share));

/** Returns the share that log odds stand for. */
export const shareOf = (odds: number): number => 1 / (1 + Math.exp(-odds));
