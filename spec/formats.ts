/**
 * The formats that our schemas name. Our own and strict: a format that accepts too much proves nothing.
 *
 * @module
 */

const RECORD_TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}\.\d{3}Z)$/

/**
 * `YYYY-MM-DD HH:MM:SS.mmmZ`, and a moment that exists: no 30th of February, no 24 o'clock. Document section 2.1.
 */
export function isRecordTime(text: string): boolean {
  const parts = RECORD_TIME.exec(text)
  if (!parts) return false
  const iso = `${parts[1]}T${parts[2]}`
  const moment = new Date(iso)
  // Date moves the 30th of February to March instead of refusing it, hence the way back.
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === iso
}

/** For `new Ajv({ formats })`. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = { 'record-time': isRecordTime }
