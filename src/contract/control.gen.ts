// Made from spec/control.openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the mock is running */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state as a fixture */
        get: operations["getState"];
        /**
         * Replace the state with a fixture
         * @description An invalid fixture is rejected, and the message names every problem. A reset still restores the seed.
         */
        put: operations["replaceState"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/state/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save the state of all sandboxes to the file of --state
         * @description Responds after the whole file is on the disk. If the mock was started without --state, the response is 400.
         */
        post: operations["saveState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the sandbox
         * @description Restores the seed, restarts the random sequence, and removes handlers, faults, the delay, changes of API keys and
         *     journal entries.
         */
        post: operations["reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fixtures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the mock's own fixture and the shipped ones */
        get: operations["listFixtures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/load": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the state with a fixture, by its name or content */
        post: operations["loadFixture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find pets
         * @description Uses the query language of @mswjs/data. Conditions on `petId` and `quantity`: `equals`, `notEquals`, `gt`, `gte`, `lt`,
         *     `lte`, `between`, `notBetween`, `in`, `notIn`; on `status`: `equals`, `notEquals`, `in`, `notIn`. All of them must
         *     hold. Every int64 is compared exactly.
         */
        get: operations["findPets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The id of the pet, an int64 in canonical decimal form. */
                petId: components["parameters"]["petId"];
            };
            cookie?: never;
        };
        /** Get one pet */
        get: operations["getPetState"];
        /**
         * Change or add a pet
         * @description An existing pet keeps the values that the body omits. A new pet needs both values.
         */
        put: operations["putPet"];
        post?: never;
        /** Remove a pet */
        delete: operations["deletePet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journal": {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the matching exchanges, oldest first */
        get: operations["getJournal"];
        put?: never;
        post?: never;
        /** Clear the journal */
        delete: operations["clearJournal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults": {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the faults that can still be triggered */
        get: operations["listFaults"];
        put?: never;
        /** Add a fault */
        post: operations["addFault"];
        /** Remove all faults */
        delete: operations["clearFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a fault */
        delete: operations["removeFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delay": {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the sandbox's own delay */
        get: operations["getDelay"];
        /** Delay every response of the sandbox */
        put: operations["setDelay"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the time by which delays pass */
        get: operations["getClock"];
        put?: never;
        /**
         * Stop, restart or advance the time
         * @description All sandboxes share the clock. While it is virtual, delays end only when it is advanced. The response comes when
         *     all delays that are due have ended. To advance a real clock is a 400.
         */
        post: operations["changeClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add or revoke an API key of the sandbox
         * @description Concerns this sandbox alone, until it is reset. A revoked key gets a 401. Keys may be given with or without `~` and
         *     the name of the sandbox. No response repeats them. A key to revoke that the sandbox never had is a 400. If
         *     either key is refused, nothing is changed.
         */
        post: operations["changeKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all sandboxes, the default one first */
        get: operations["listSandboxes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a sandbox
         * @description The next use of its name creates it again. The default sandbox cannot be removed; the response is then 400.
         */
        delete: operations["deleteSandbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the sandbox's events
         * @description Server-sent events. The `data` of each event is one line of JSON.
         *
         *     | event | data |
         *     | --- | --- |
         *     | `pet` | InventoryItem: the pet that was added or changed |
         *     | `pet-removed` | `{ "petId": 7 }` |
         *     | `state` | `{ "fixture": "default", "pets": 10 }`: the whole state was replaced; reload it. Also the first event of every stream |
         *     | `exchange` | JournalEntry with bodies cut to 4,096 bytes; the journal has more of them |
         *     | `journal-cleared` | `{}` |
         *     | `faults` | array of ActiveFault: the faults that can still be triggered, without their bodies. Changes in quick succession are one event |
         *     | `delay` | DelaySetting |
         *     | `lagged` | `{ "message": "…" }`: the last event for a client with more than 1 MB of unread events. Reconnect and reload everything |
         *
         *     A stream ends when its sandbox is removed, when the mock stops, or when the client falls too far behind.
         *     A mock has at most 64 open streams.
         */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/spec.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the service's OpenAPI document as JSON */
        get: operations["getServiceDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/spec.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the service's OpenAPI document as YAML */
        get: operations["getServiceDocumentYaml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document */
        get: operations["getControlDocument"];
        put?: never;
        post?: never;
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
        Health: {
            /** @constant */
            status: "ok";
            /** @description The version of the mock. */
            version: string;
            /** @description The version of the service's specification. */
            specificationVersion: string;
            /** @description The base path of the service. */
            basePath: string;
            /** @description Whether demo-key is a valid API key of the sandbox. */
            hasDemoKey: boolean;
            /** @description The mock's delay. A sandbox's own delay replaces it. */
            delay: components["schemas"]["Delay"];
            /** @description The fixture that the sandbox started from. */
            fixture: string;
            /** @description The number of pets in the sandbox. */
            pets: number;
            /** @description The number of sandboxes, without the default one. */
            sandboxes: number;
        };
        /** @description The stock of one pet. */
        InventoryItem: {
            /** Format: int64 */
            petId: number | bigint;
            quantity: number;
            status: components["schemas"]["PetStatus"];
        };
        /** @enum {string} */
        PetStatus: "available" | "pending" | "sold";
        /** @description It needs `quantity` or `status`. A new pet needs both. */
        PetChange: {
            /** @description From -(2^53−1) to 2^53−1. */
            quantity?: number;
            status?: components["schemas"]["PetStatus"];
        };
        /** @description A named inventory. */
        Fixture: {
            $schema?: string;
            description?: string;
            inventory: {
                /**
                 * Format: int64
                 * @description An int64, as an integer or a string of decimal digits.
                 */
                petId: number | bigint | string;
                quantity: number;
                status: components["schemas"]["PetStatus"];
            }[];
        };
        /** @description The current state as a fixture. */
        State: {
            inventory: components["schemas"]["InventoryItem"][];
        };
        FixtureSummary: {
            name: string;
            description: string;
            /** @description The number of pets. */
            pets: number;
        };
        SandboxName: string;
        SandboxSummary: {
            name: components["schemas"]["SandboxName"];
            /** @description The fixture that the sandbox started from. */
            fixture: string;
            /** @description The number of pets. */
            pets: number;
            /** @description The number of pets that differ from the fixture. */
            changes: number;
        };
        /**
         * @description An operation of the service.
         * @enum {string}
         */
        OperationId: "listInventory" | "updateInventory" | "getPet" | "listOrders";
        /** @description Milliseconds, fixed or drawn uniformly from a range with inclusive bounds. */
        Delay: number | number[];
        DelayInput: components["schemas"]["Delay"] | string;
        DelayChange: {
            /** @description `null` restores the mock's delay. */
            delay: components["schemas"]["DelayInput"] | null;
        };
        DelaySetting: {
            /** @description `null` if the mock's delay applies. */
            delay: components["schemas"]["Delay"] | null;
        };
        /** @enum {string} */
        ClockMode: "virtual" | "real";
        /** @description It needs `mode` or `advance`. With both, the mode is changed first. */
        ClockChange: {
            mode?: components["schemas"]["ClockMode"];
            /** @description The distance in milliseconds. */
            advance?: number;
        };
        ClockState: {
            mode: components["schemas"]["ClockMode"];
            /** @description Milliseconds since 1970. */
            now: number;
            /** @description The number of delays in progress. */
            pending: number;
        };
        /** @description It needs `add` or `revoke`. */
        KeyChange: {
            add?: string;
            revoke?: string;
        };
        /**
         * @description How the connection fails. `network`: it is closed without a response. `timeout`: no response is sent. `reset`: the
         *     connection is reset. `truncated`: the response ends in the middle of its body.
         * @enum {string}
         */
        ConnectionFault: "network" | "timeout" | "reset" | "truncated";
        /**
         * @description A fault to inject. It needs `status`, `statuses`, `error`, `delay` or `rateLimit`. `status` and `error` exclude
         *     each other, and `statuses` excludes `status`, `error` and `rateLimit`. Without `operation`, `method`, `path` and
         *     `petId`, it affects every request below the base path, also those to stubs and handlers.
         */
        Fault: {
            operation?: components["schemas"]["OperationId"];
            /**
             * @description Matches only requests with this method. `GET` also matches `HEAD`.
             * @enum {unknown}
             */
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description Matches only requests with this path below the base path, such as `/orders/7` or `/orders/{id}`. */
            path?: string;
            /**
             * Format: int64
             * @description Matches only requests for this pet. An int64, as an integer or a string of decimal digits.
             */
            petId?: number | bigint | string;
            /**
             * @description The HTTP status. The body is an Error object unless `body` is set. A status of success needs a `body`, except
             *     for 204 and 205, which have none.
             */
            status?: number;
            /**
             * @description A sequence of statuses, one for each matching request. 200 lets the request through. The fault ends after
             *     `times` rounds of the sequence, by default one.
             * @example [
             *       503,
             *       503,
             *       200
             *     ]
             */
            statuses?: (number | 200 | unknown)[];
            /**
             * @description Limits the matching requests in a time window. Requests above the limit get a 429, or `status`. All responses
             *     to matching requests have the headers `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` and
             *     `RateLimit-Policy`.
             */
            rateLimit?: {
                requests: number;
                /** @description The length of a window in milliseconds. A window starts with its first request. The headers round it up to seconds. */
                window: number;
            };
            /** @description The response body, any JSON value. Requires `status`. */
            body?: unknown;
            error?: components["schemas"]["ConnectionFault"];
            delay?: components["schemas"]["DelayInput"];
            /** @description How many times the fault is triggered. Unlimited by default. */
            times?: number;
            /** @description The probability that a matching request triggers the fault. 1 by default. */
            probability?: number;
            /** @description Ignores this number of matching requests first. 0 by default. */
            after?: number;
            /** @description Triggers the fault only for every nth matching request. 1 by default. */
            every?: number;
            /** @description The value of the `Retry-After` header, in seconds. Requires `status` or `statuses`. */
            retryAfter?: number;
        };
        /** @description A fault that was added. */
        ActiveFault: components["schemas"]["Fault"] & {
            /** @description Counts from 1 in each sandbox. */
            id: number;
            /** @description How many times the fault was triggered. */
            used: number;
        };
        JournalPage: {
            entries: components["schemas"]["JournalEntry"][];
            /** @description The number of older exchanges that were dropped. */
            dropped: number;
            /** @description False if dropped exchanges might have matched. */
            isComplete: boolean;
        };
        /** @description One exchange. */
        JournalEntry: {
            /** @description Counts from 1 in each sandbox. */
            id: number;
            /**
             * Format: date-time
             * @description When the request arrived.
             */
            time: string;
            /** @description The time from the request to its response, in milliseconds. */
            duration: number;
            sandbox: components["schemas"]["SandboxName"];
            operation?: components["schemas"]["OperationId"];
            /**
             * @description The response came from the target of `--proxy`.
             * @constant
             */
            isProxied?: true;
            /**
             * @description The response is one of `--stubs`.
             * @constant
             */
            isStubbed?: true;
            /**
             * @description The operation's stability in the specification. Missing if it is stable.
             * @enum {unknown}
             */
            stability?: "experimental" | "deprecated";
            /**
             * Format: int64
             * @description The pet in the request's path.
             */
            petId?: number | bigint;
            /** @description The path below the base path, without the query. */
            resource: string;
            request: {
                method: string;
                /** @description Includes the query. Parameters named like a key or token are replaced by `(hidden)`. */
                path: string;
                headers: components["schemas"]["Headers"];
                /** @description Cut to 65,536 bytes. */
                body: string;
                /** @description Whether the body was longer than shown. It is empty if the client got the response before it had sent all of it. */
                isCut?: boolean;
            };
            /** @description The response. Missing if the client got none. */
            answer?: {
                status: number;
                headers: components["schemas"]["Headers"];
                /** @description Cut to 65,536 bytes. */
                body: string;
                /** @description Whether the body was longer than shown. */
                isCut?: boolean;
            };
            /** @description The fault that the request triggered. */
            fault?: {
                id: number;
                status?: number;
                error?: components["schemas"]["ConnectionFault"];
                /** @description Whether the service's specification lists the status for the operation. */
                inContract: boolean;
            };
        };
        /** @description Names are in lower case. Credentials are replaced by `(hidden)`. */
        Headers: {
            [key: string]: string;
        };
        Error: {
            /**
             * @description A 404 has `unknown_pet`, `unknown_fault` or `unknown_sandbox` if the resource in the path does not exist, and
             *     `not_found` if the route does not exist, for example because the control API is off.
             * @enum {string}
             */
            code: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "unknown_pet" | "unknown_fault" | "unknown_sandbox" | "method_not_allowed" | "too_many_requests" | "internal_error";
            message: string;
            /** @description The HTTP status code, repeated. */
            status: number;
        };
    };
    responses: {
        /** @description The current state. */
        State: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["State"];
            };
        };
        /** @description The current values of the pet. */
        Pet: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InventoryItem"];
            };
        };
        /** @description The clock as it is now. */
        Clock: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ClockState"];
            };
        };
        /** @description The current delay. */
        Delay: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DelaySetting"];
            };
        };
        /** @description The document. */
        Document: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    openapi: string;
                    info: Record<string, never>;
                    paths: Record<string, never>;
                };
            };
        };
        /** @description The request is invalid. The message names the place and the problem. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The control token is missing or invalid, or the API key is unknown. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request comes from a page of another site, or has a foreign `Host`. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The mock has too many open event streams, or is reading too many other request bodies. Try again later. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such pet, fault or sandbox. The `code` says which. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The file cannot be written. It still contains the state of the last save. */
        NotSaved: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The sandbox to act on. Without it, the default sandbox. */
        sandbox: components["schemas"]["SandboxName"];
        /** @description The version of OpenAPI that the document is written in. 3.0 is for tools that cannot read 3.1. */
        openapi: "3.1" | "3.0";
        /** @description The id of the pet, an int64 in canonical decimal form. */
        petId: number | bigint;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mock is running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getState: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["State"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    replaceState: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Fixture"];
            };
        };
        responses: {
            200: components["responses"]["State"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    saveState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state is saved. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["NotSaved"];
        };
    };
    reset: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["State"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    listFixtures: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fixtures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FixtureSummary"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    loadFixture: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name of a shipped fixture or of the mock's own, or a fixture. */
                    fixture: string | components["schemas"]["Fixture"];
                };
            };
        };
        responses: {
            200: components["responses"]["State"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    findPets: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
                /** @description The conditions by property, as JSON. Without conditions, every pet matches. */
                where?: string;
                /** @description A property with `asc` or `desc`, or a list of them, as JSON. By default, pets are in the order of the service's list. */
                orderBy?: string;
                /** @description The maximum number of pets to return. */
                take?: number;
                /** @description The number of pets to skip. */
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pets, and the number of all matching pets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The number of all matching pets, regardless of `skip` and `take`. */
                        count: number;
                        pets: components["schemas"]["InventoryItem"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getPetState: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The id of the pet, an int64 in canonical decimal form. */
                petId: components["parameters"]["petId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Pet"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    putPet: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The id of the pet, an int64 in canonical decimal form. */
                petId: components["parameters"]["petId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PetChange"];
            };
        };
        responses: {
            200: components["responses"]["Pet"];
            201: components["responses"]["Pet"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    deletePet: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The id of the pet, an int64 in canonical decimal form. */
                petId: components["parameters"]["petId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    getJournal: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
                /** @description Matches only exchanges of this operation. */
                operation?: components["schemas"]["OperationId"];
                /** @description Matches only exchanges with this method. `GET` also matches `HEAD`. */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Matches only exchanges with this path below the base path, such as `/orders/7` or `/orders/{id}`. */
                path?: string;
                /** @description Matches only exchanges with this pet in the path. */
                petId?: number | bigint;
                /** @description Matches only exchanges with this response status, or class of statuses. */
                status?: number | ("1xx" | "2xx" | "3xx" | "4xx" | "5xx");
                /** @description Matches only exchanges newer than the one with this id. */
                after?: number;
                /** @description Matches only exchanges older than the one with this id. */
                before?: number;
                /** @description `none` returns empty bodies. */
                bodies?: "none";
                /** @description The maximum number of exchanges. The newest ones are returned. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exchanges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JournalPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    clearJournal: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The journal is empty. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    listFaults: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The faults, in the order in which they were added. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveFault"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    addFault: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Fault"];
            };
        };
        responses: {
            /** @description The fault is active. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveFault"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    clearFaults: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All faults are removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    removeFault: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The id of the fault. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fault is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    getDelay: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Delay"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    setDelay: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DelayChange"];
            };
        };
        responses: {
            200: components["responses"]["Delay"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    changeClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockChange"];
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    changeKeys: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyChange"];
            };
        };
        responses: {
            /** @description The keys are changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    listSandboxes: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandboxes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxSummary"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    deleteSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the sandbox. */
                name: components["schemas"]["SandboxName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandbox is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description The sandbox to act on. Without it, the default sandbox. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    getServiceDocument: {
        parameters: {
            query?: {
                /** @description The version of OpenAPI that the document is written in. 3.0 is for tools that cannot read 3.1. */
                openapi?: components["parameters"]["openapi"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Document"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getServiceDocumentYaml: {
        parameters: {
            query?: {
                /** @description The version of OpenAPI that the document is written in. 3.0 is for tools that cannot read 3.1. */
                openapi?: components["parameters"]["openapi"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getControlDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Document"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
}
