/**
 * Generated from spec/openapi.yaml by `npm run generate`. Not to be edited.
 *
 * @module
 */

export interface paths {
    "/api/v1/collections/{table}/records": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        /** List the records of a table, page by page */
        get: operations["listRecords"];
        put?: never;
        /** Create a record */
        post: operations["createRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/records/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
                /** @description Identifier of the record. */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** View one record */
        get: operations["viewRecord"];
        put?: never;
        post?: never;
        /** Delete a record */
        delete: operations["deleteRecord"];
        options?: never;
        head?: never;
        /** Change some fields of a record */
        patch: operations["updateRecord"];
        trace?: never;
    };
    "/api/v1/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Several writes that succeed or fail together */
        post: operations["batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/auth-methods": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        /** List the sign-in methods of a table */
        get: operations["listAuthMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/auth-with-password": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a password */
        post: operations["authWithPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/auth-with-oauth2": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with the code of an identity provider */
        post: operations["authWithOAuth2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/request-otp": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request a one-time code by email */
        post: operations["requestOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/auth-with-otp": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a one-time code */
        post: operations["authWithOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/auth-refresh": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange a session token for a fresh one */
        post: operations["authRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/impersonate/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
                /** @description Identifier of the record. */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Obtain a session for another record */
        post: operations["impersonate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/request-verification": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request an email that verifies the address */
        post: operations["requestVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/confirm-verification": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify the address with the token from the email */
        post: operations["confirmVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request an email that allows a new password */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/confirm-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with the token from the email */
        post: operations["confirmPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/request-email-change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request an email to a new address */
        post: operations["requestEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{table}/confirm-email-change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Switch to the new address with the token from the email */
        post: operations["confirmEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: record-time
         * @description An instant in UTC, `YYYY-MM-DD HH:MM:SS.mmmZ`.
         * @example 2024-02-29 23:59:59.999Z
         */
        RecordTime: string;
        /** @description A record of any table. It also contains the fields of its table. */
        Record: {
            id: string;
            collectionId: string;
            collectionName: string;
            created: components["schemas"]["RecordTime"];
            updated: components["schemas"]["RecordTime"];
            expand?: components["schemas"]["Expansion"];
            /**
             * @description In a base table, a field of this name reads as the empty string. An auth table never shows it.
             * @constant
             */
            password?: "";
        };
        /** @description By relation field or back-relation: the record, or the records in the stored order. */
        Expansion: {
            [key: string]: unknown;
        };
        /** @description Keys of an auth record that no response shows. */
        AuthRecordSecrets: {
            password?: unknown;
            passwordHash?: unknown;
            tokenKey?: unknown;
            email?: string;
        };
        /** @description A record of an auth table. */
        AuthRecord: {
            /** @description Left out if the record hides it (profile). */
            email?: string;
            verified: boolean;
            /** @description Whether everyone may see the address. */
            emailVisibility?: boolean;
        } & (components["schemas"]["Record"] & components["schemas"]["AuthRecordSecrets"]);
        ListResponse: {
            page: number & unknown;
            perPage: number & unknown;
            totalItems: number | -1;
            totalPages: number | -1;
            items: components["schemas"]["Record"][];
        };
        /** @description Fields by name. The profile adds `name+`, `+name` and `name-` for numbers, lists and files, `name:autogenerate` for text fields with a pattern, and `passwordConfirm` and `oldPassword` for auth tables. */
        RecordFields: {
            [key: string]: unknown;
        };
        /** @description The same as a form. Files are parts with the name of their field. A repeated part is a list. */
        RecordForm: {
            /** @description JSON objects whose keys are applied unchanged, after the other parts. */
            "@jsonPayload"?: unknown;
        } & {
            [key: string]: unknown;
        };
        BatchRequest: {
            /** @description In the profile, at least one and at most fifty, unless the target says otherwise. */
            requests: components["schemas"]["SubRequest"][];
        };
        SubRequest: {
            method: ("POST" | "PATCH" | "DELETE") | "PUT";
            /** @description Path of a table's records or of one record, starting with the prefix. The profile also allows a query. */
            url: string & unknown;
            /** @description Fields to send; none for DELETE. */
            body?: {
                [key: string]: unknown;
            } | null;
            /** @description Headers of this write only. An `Authorization` header is ignored. */
            headers?: {
                [key: string]: string;
            };
        };
        BatchForm: {
            /** @description The batch as JSON. Files are parts named `requests.N.field` or `requests[N].field`. */
            "@jsonPayload": string;
        } & {
            [key: string]: unknown;
        };
        BatchResponse: components["schemas"]["BatchEntry"][];
        BatchEntry: {
            /** @enum {integer} */
            status: 200 | 204;
            body: Record<string, never> | null;
        };
        BatchError: components["schemas"]["Error"] & {
            /** @constant */
            status?: 400;
            /** @description Empty, or `requests` with one error for the whole batch or errors by position. */
            data?: {
                requests?: Record<string, never>;
            };
        };
        PasswordSignIn: {
            identity: string & unknown;
            password: string & unknown;
            /** @description The identity field of the table to use. Empty for any. */
            identityField?: string;
            mfaId?: string;
        };
        OAuth2SignIn: {
            provider: string;
            code: string;
            codeVerifier?: string;
            redirectURL?: string;
            /** @description Fields of the record, if one is created. */
            createData?: {
                [key: string]: unknown;
            };
            mfaId?: string;
        };
        OtpSignIn: {
            otpId: string;
            /** @description The code. */
            password: string;
            mfaId?: string;
        };
        OtpResponse: {
            otpId: string;
        };
        Impersonation: {
            /** @description Seconds. 0 means the same lifetime as other sessions of the table. */
            duration?: number;
        };
        /** @description A session. The document does not give the status for a first factor or a rejection. A body that contains an mfaId or an error, and neither a token nor a record, is therefore not a sign-in. */
        SignInResponse: unknown;
        AuthResponse: {
            token: string;
            record: components["schemas"]["SignedInRecord"];
        };
        /** @description The address is always shown to its owner. */
        SignedInRecord: {
            email: string;
        } & WithRequired<components["schemas"]["AuthRecord"], "email">;
        OAuth2Response: {
            meta: components["schemas"]["ProviderAccount"];
        } & components["schemas"]["AuthResponse"];
        /** @description The provider's data about the account. */
        ProviderAccount: {
            id: string;
            name: string;
            username: string;
            /** @description Empty unless the provider has verified it. */
            email: string;
            avatarURL: string;
            /** @deprecated */
            avatarUrl?: string;
            accessToken: string;
            refreshToken: string;
            /** @description An instant like `created`; empty if the provider gave none. */
            expiry: string;
            rawUser: {
                [key: string]: unknown;
            };
            /** @description Whether this sign-in created the record. */
            isNew: boolean;
        };
        MfaChallenge: {
            mfaId: string;
            status?: unknown;
        };
        AuthMethods: {
            password: {
                enabled: boolean;
                identityFields: string[];
            };
            oauth2: {
                enabled: boolean;
                providers: components["schemas"]["AuthProvider"][];
            };
            mfa: components["schemas"]["TimedMethod"];
            otp: components["schemas"]["TimedMethod"];
            /** @deprecated */
            authProviders?: components["schemas"]["AuthProvider"][] | null;
            /** @deprecated */
            usernamePassword?: boolean;
            /** @deprecated */
            emailPassword?: boolean;
        };
        TimedMethod: {
            enabled: boolean;
            /** @description Seconds; 0 if disabled. */
            duration: number;
        };
        /** @description Everything a client needs to send a user to the provider and back. */
        AuthProvider: {
            name: string;
            displayName: string;
            logo?: string;
            state: string;
            /** @description Ends in `redirect_uri=`, for the client to complete. */
            authURL: string;
            /** @deprecated */
            authUrl?: string;
            codeVerifier: string;
            codeChallenge: string;
            /** @enum {string} */
            codeChallengeMethod: "S256" | "";
            clientSecret?: unknown;
        };
        EmailOfRecord: {
            email: string;
        };
        VerificationToken: {
            token: string;
        };
        PasswordReset: {
            token: string;
            password: string;
            passwordConfirm: string;
        };
        NewEmail: {
            newEmail: string;
        };
        EmailChange: {
            token: string;
            password: string;
        };
        /** @description The shape of every error response. `message` is for people, and its wording may change. */
        Error: {
            data: components["schemas"]["ErrorData"];
            message: string;
            status: number;
        };
        /** @description Errors by field. For nested input they are nested by name, or by position as a string. */
        ErrorData: {
            [key: string]: Record<string, never>;
        };
        FieldError: {
            code: string;
            message: string;
            /** @description The numbers and names in the message. */
            params?: Record<string, never>;
            response?: components["schemas"]["Error"];
        } & (unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown);
    };
    responses: {
        /** @description One page of records. */
        RecordPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ListResponse"];
            };
        };
        /** @description The record, as it is now. */
        OneRecord: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Record"];
            };
        };
        /** @description The record, as it is now. The response of a write comes from the profile, including the record. */
        WrittenRecord: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Record"];
            };
        };
        /** @description Success, without a body. */
        NoContent: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description One entry for each write, in their order. */
        BatchDone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BatchResponse"];
            };
        };
        /** @description All methods, including disabled ones. */
        AuthMethods: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthMethods"];
            };
        };
        /** @description A session token and the record that it belongs to. */
        SignedIn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInResponse"];
            };
        };
        /** @description The same from another endpoint. The document shows it only for password sign-in. */
        SessionGiven: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthResponse"];
            };
        };
        /** @description A session token, the record that it belongs to, and the data from the provider. */
        SignedInByProvider: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuth2Response"];
            };
        };
        /** @description The identifier of the code request. Unknown addresses also get one. */
        OtpRequested: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtpResponse"];
            };
        };
        /** @description The request is malformed or its content is invalid. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 400;
                };
            };
        };
        /** @description The operation requires a valid token, and the request had none. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description The caller may not do this, regardless of the content. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description The table or record does not exist, or the caller may not see it. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 404;
                };
            };
        };
        /** @description The body is larger than the limit. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 413;
                };
            };
        };
        /** @description Too many requests or attempts in too short a time. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /** @description Nothing was written. The response names the first failed write by its position, with its error. */
        BatchFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BatchError"];
            };
        };
        /** @description The first factor was correct, and the second is required. This is the only response with status 401 that is not an error. */
        MfaRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MfaChallenge"];
            };
        };
    };
    parameters: {
        /** @description Name or identifier of the table. */
        table: string & unknown;
        /** @description Identifier of the record. */
        id: string;
        /** @description Number of the page, starting at 1. Zero and below count as 1. */
        page: number;
        /** @description Records per page. Zero and below count as 30, and more than 1000 as 1000. The response shows the number used. */
        perPage: number;
        /** @description Skip the count. `totalItems` and `totalPages` are then -1. */
        skipTotal: "1" | "t" | "T" | "true" | "TRUE" | "True" | "0" | "f" | "F" | "false" | "FALSE" | "False" | "";
        /** @description At most eight keys, separated by commas, with `-` before a key for descending order. Paths through relations, `@random` and `@rowid` are also keys. */
        sort: string;
        /** @description An expression of the filter language, at most 3500 bytes and 200 comparisons. */
        filter: string;
        /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
        expand: string;
        /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
        fields: string;
        /** @description Identifier from the first factor, sent with the second. It takes precedence over the one in the body. */
        mfaId: string;
    };
    requestBodies: {
        /** @description Fields of the record. The document shows JSON. The profile also accepts forms, which is how files are sent. */
        NewRecord: {
            content: {
                "application/json": components["schemas"]["RecordFields"];
                "multipart/form-data": components["schemas"]["RecordForm"];
                "application/x-www-form-urlencoded": components["schemas"]["RecordForm"];
            };
        };
        /** @description Only the fields to change. Fields that are not sent stay unchanged. */
        ChangedFields: {
            content: {
                "application/json": components["schemas"]["RecordFields"];
                "multipart/form-data": components["schemas"]["RecordForm"];
                "application/x-www-form-urlencoded": components["schemas"]["RecordForm"];
            };
        };
        /** @description The writes, in the order in which they take effect. */
        Batch: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
                "multipart/form-data": components["schemas"]["BatchForm"];
            };
        };
        /** @description The identity and the password. */
        PasswordSignIn: {
            content: {
                "application/json": components["schemas"]["PasswordSignIn"];
                "multipart/form-data": components["schemas"]["PasswordSignIn"];
                "application/x-www-form-urlencoded": components["schemas"]["PasswordSignIn"];
            };
        };
        /** @description The values that the identity provider gave to the client. */
        OAuth2SignIn: {
            content: {
                "application/json": components["schemas"]["OAuth2SignIn"];
                "multipart/form-data": components["schemas"]["OAuth2SignIn"];
                "application/x-www-form-urlencoded": components["schemas"]["OAuth2SignIn"];
            };
        };
        /** @description The address to which the code is sent. */
        OtpRequest: {
            content: {
                "application/json": components["schemas"]["EmailOfRecord"];
                "multipart/form-data": components["schemas"]["EmailOfRecord"];
                "application/x-www-form-urlencoded": components["schemas"]["EmailOfRecord"];
            };
        };
        /** @description The identifier of the code request, and the code. */
        OtpSignIn: {
            content: {
                "application/json": components["schemas"]["OtpSignIn"];
                "multipart/form-data": components["schemas"]["OtpSignIn"];
                "application/x-www-form-urlencoded": components["schemas"]["OtpSignIn"];
            };
        };
        /** @description How long the session lasts. */
        Impersonation: {
            content: {
                "application/json": components["schemas"]["Impersonation"];
                "multipart/form-data": components["schemas"]["Impersonation"];
                "application/x-www-form-urlencoded": components["schemas"]["Impersonation"];
            };
        };
        /** @description The address of the record. */
        EmailOfRecord: {
            content: {
                "application/json": components["schemas"]["EmailOfRecord"];
                "multipart/form-data": components["schemas"]["EmailOfRecord"];
                "application/x-www-form-urlencoded": components["schemas"]["EmailOfRecord"];
            };
        };
        /** @description The token from the email. */
        VerificationToken: {
            content: {
                "application/json": components["schemas"]["VerificationToken"];
                "multipart/form-data": components["schemas"]["VerificationToken"];
                "application/x-www-form-urlencoded": components["schemas"]["VerificationToken"];
            };
        };
        /** @description The token from the email, and the new password twice. */
        PasswordReset: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
                "multipart/form-data": components["schemas"]["PasswordReset"];
                "application/x-www-form-urlencoded": components["schemas"]["PasswordReset"];
            };
        };
        /** @description The address to change to. */
        NewEmail: {
            content: {
                "application/json": components["schemas"]["NewEmail"];
                "multipart/form-data": components["schemas"]["NewEmail"];
                "application/x-www-form-urlencoded": components["schemas"]["NewEmail"];
            };
        };
        /** @description The token from the email, and the password of the record. */
        EmailChange: {
            content: {
                "application/json": components["schemas"]["EmailChange"];
                "multipart/form-data": components["schemas"]["EmailChange"];
                "application/x-www-form-urlencoded": components["schemas"]["EmailChange"];
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listRecords: {
        parameters: {
            query?: {
                /** @description Number of the page, starting at 1. Zero and below count as 1. */
                page?: components["parameters"]["page"];
                /** @description Records per page. Zero and below count as 30, and more than 1000 as 1000. The response shows the number used. */
                perPage?: components["parameters"]["perPage"];
                /** @description Skip the count. `totalItems` and `totalPages` are then -1. */
                skipTotal?: components["parameters"]["skipTotal"];
                /** @description At most eight keys, separated by commas, with `-` before a key for descending order. Paths through relations, `@random` and `@rowid` are also keys. */
                sort?: components["parameters"]["sort"];
                /** @description An expression of the filter language, at most 3500 bytes and 200 comparisons. */
                filter?: components["parameters"]["filter"];
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RecordPage"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    createRecord: {
        parameters: {
            query?: {
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NewRecord"];
        responses: {
            200: components["responses"]["WrittenRecord"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    viewRecord: {
        parameters: {
            query?: {
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
                /** @description Identifier of the record. */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OneRecord"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    deleteRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
                /** @description Identifier of the record. */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    updateRecord: {
        parameters: {
            query?: {
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
                /** @description Identifier of the record. */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["ChangedFields"];
        responses: {
            200: components["responses"]["WrittenRecord"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    batch: {
        parameters: {
            query?: {
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Batch"];
        responses: {
            200: components["responses"]["BatchDone"];
            400: components["responses"]["BatchFailed"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    listAuthMethods: {
        parameters: {
            query?: {
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthMethods"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    authWithPassword: {
        parameters: {
            query?: {
                /** @description Identifier from the first factor, sent with the second. It takes precedence over the one in the body. */
                mfaId?: components["parameters"]["mfaId"];
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["PasswordSignIn"];
        responses: {
            200: components["responses"]["SignedIn"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["MfaRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    authWithOAuth2: {
        parameters: {
            query?: {
                /** @description Identifier from the first factor, sent with the second. It takes precedence over the one in the body. */
                mfaId?: components["parameters"]["mfaId"];
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["OAuth2SignIn"];
        responses: {
            200: components["responses"]["SignedInByProvider"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["MfaRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    requestOtp: {
        parameters: {
            query?: {
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["OtpRequest"];
        responses: {
            200: components["responses"]["OtpRequested"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    authWithOtp: {
        parameters: {
            query?: {
                /** @description Identifier from the first factor, sent with the second. It takes precedence over the one in the body. */
                mfaId?: components["parameters"]["mfaId"];
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["OtpSignIn"];
        responses: {
            200: components["responses"]["SessionGiven"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["MfaRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    authRefresh: {
        parameters: {
            query?: {
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["SessionGiven"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    impersonate: {
        parameters: {
            query?: {
                /** @description Relations to expand, separated by commas, nested by dots, at most six levels deep. Back-relations are written `table_via_field`. Relations that cannot be expanded are left out. */
                expand?: components["parameters"]["expand"];
                /** @description Keys to keep, separated by commas, nested by dots, `*` for all. `name:excerpt(20,true)` shortens a string. */
                fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
                /** @description Identifier of the record. */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Impersonation"];
        responses: {
            200: components["responses"]["SessionGiven"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    requestVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["EmailOfRecord"];
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    confirmVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["VerificationToken"];
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["EmailOfRecord"];
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    confirmPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["PasswordReset"];
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    requestEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewEmail"];
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or identifier of the table. */
                table: components["parameters"]["table"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["EmailChange"];
        responses: {
            204: components["responses"]["NoContent"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
