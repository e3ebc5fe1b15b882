/** The characters of random strings such as tokens and passwords. With a seed, results depend on their order. */
export const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
