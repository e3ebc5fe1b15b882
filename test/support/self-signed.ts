/**
 * A certificate that no one trusts, for 127.0.0.1, with its key: what a developer's own server often has. Made with
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=127.0.0.1`.
 *
 * @module
 */

export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiGL6q/DMo3GFb0Ko
GhtY2VU0u/7bn8DEwPawfv/13NqhRANCAAQuwM+Ve0C4wAmcRLvghatEs1e9pvMc
oDUwgPeu4PllZxOBImrSLghHwaAk7mjc/c4ZBGC/8ZcTkiHKfmAv6G1z
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIUXBjA+vkn5XJ/E1W5OavAbZCT+p4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyNDA0MjUxMFoYDzIxMjYxMDMx
MDQyNTEwWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQuwM+Ve0C4wAmcRLvghatEs1e9pvMcoDUwgPeu4PllZxOBImrSLghH
waAk7mjc/c4ZBGC/8ZcTkiHKfmAv6G1zo2QwYjAdBgNVHQ4EFgQUN2ZIuVcQvwTv
xxK5fLSeW+FWsXwwHwYDVR0jBBgwFoAUN2ZIuVcQvwTvxxK5fLSeW+FWsXwwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IHA4tsoAeKO/CKS1rMAakCTo8xSObJTQ9gsvFpDnZo3PAiBMn4TTq50qhTBsZZ+J
afE8UDd7jRMGXnk8AZ41YhTPSA==
-----END CERTIFICATE-----
`,
}
