const EARTH_RADIUS_KM = 6371

/**
 * Kilometres along the great circle between two points in degrees; null if a coordinate is missing. The argument is
 * kept inside the domain of acos: a point is 0 km from itself (contract-records section 12 shows where that fails).
 */
export function geoDistance(lonA: number, latA: number, lonB: number, latB: number): number {
  const a = radians(latA)
  const b = radians(latB)
  const cosine =
    Math.cos(a) * Math.cos(b) * Math.cos(radians(lonB) - radians(lonA)) + Math.sin(a) * Math.sin(b)
  return EARTH_RADIUS_KM * Math.acos(Math.min(1, Math.max(-1, cosine)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
