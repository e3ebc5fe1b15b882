/** The superuser of the servers that scripts and tests start in their own process. */
export const servedSuperuser = {
  id: 'superuser000001',
  email: 'superuser@example.com',
  password: 'superuser-secret',
  tokenKey: 'k'.repeat(50),
}
