/** Whether a code of OpenSSL or Node means a certificate that is not trusted. */
export function isUntrusted(code = ''): boolean {
  return /SELF_SIGNED|UNABLE_TO_|CERT_|ALTNAME|HOSTNAME_MISMATCH/.test(code)
}

/** What to do then. */
export const trustStep = 'set NODE_EXTRA_CA_CERTS=FILE to the certificate'
