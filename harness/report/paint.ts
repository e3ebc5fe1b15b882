/**
 * Terminal colors, or none.
 *
 * @module
 */

import picocolors from 'picocolors'

type Brush = (text: string) => string

export interface Paint {
  bold: Brush
  dim: Brush
  red: Brush
  green: Brush
  yellow: Brush
}

export function createPaint(colors: boolean): Paint {
  const { bold, dim, red, green, yellow } = picocolors.createColors(colors)
  return { bold, dim, red, green, yellow }
}
