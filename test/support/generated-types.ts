import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openApiDocument } from '../../spec/openapi.ts'

/** What openapi-typescript makes of the description. */
export async function generatedTypes(): Promise<string> {
  return astToString(await openapiTypes(structuredClone(openApiDocument()) as unknown as OpenAPI3))
}
