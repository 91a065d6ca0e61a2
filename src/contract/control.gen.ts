// Made from spec/control.openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the mock answers, and with what */
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
        /** The state, as a fixture */
        get: operations["getState"];
        /**
         * Replace the state by a fixture
         * @description A fixture with faults is refused whole, each of them named. A reset still goes back to the seed.
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
         * @description Responds when the file is whole on the disk. Without --state it is refused with 400.
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
         * Back to the seed
         * @description The state, faults, delay, journal and random sequence are as they were at the start.
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
        /** The fixtures that come with the mock */
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
        /** Replace the state by a shipped fixture, or by one of one's own */
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
         * The pets that fit a query
         * @description The query language of @mswjs/data. Conditions on `petId` and `quantity`: `equals`, `notEquals`, `gt`, `gte`, `lt`,
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The pet, as an int64 in canonical decimal form. */
                petId: components["parameters"]["petId"];
            };
            cookie?: never;
        };
        /** One pet's stock */
        get: operations["getPet"];
        /**
         * Change a pet, or add it
         * @description A pet that is there keeps what is not given; one that is added needs both values.
         */
        put: operations["putPet"];
        post?: never;
        /** Take a pet out */
        delete: operations["deletePet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/journal": {
        parameters: {
            query?: {
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The exchanges that fit, the oldest first */
        get: operations["getJournal"];
        put?: never;
        post?: never;
        /** Forget all exchanges */
        delete: operations["clearJournal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faults": {
        parameters: {
            query?: {
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The faults that can still strike */
        get: operations["listFaults"];
        put?: never;
        /** Add a fault */
        post: operations["addFault"];
        /** Take all faults back */
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
        /** Take one fault back */
        delete: operations["removeFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delay": {
        parameters: {
            query?: {
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The sandbox's own delay */
        get: operations["getDelay"];
        /** Make every answer of the sandbox take its time */
        put: operations["setDelay"];
        post?: never;
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
        /** All sandboxes, the default one first */
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
         * Forget a sandbox
         * @description The next use of its name makes it anew. The default sandbox stays; asked to go it answers 400.
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
         * What happens in the sandbox, as it happens
         * @description Server-sent events. The data of each is JSON on one line.
         *
         *     | event | data |
         *     | --- | --- |
         *     | `pet` | InventoryItem: it was added or changed |
         *     | `pet-removed` | `{ "petId": 7 }` |
         *     | `state` | `{ "fixture": "default", "pets": 10 }`: the state is another as a whole; ask for it. The first event of every stream |
         *     | `exchange` | JournalEntry, its bodies cut at 4,096 bytes; the journal has the whole |
         *     | `journal-cleared` | `{}` |
         *     | `faults` | array of ActiveFault: those that can still strike. Changes in quick succession are told as one |
         *     | `delay` | DelaySetting |
         *     | `lagged` | `{ "message": "…" }`: the last event for a client that lags behind by more than 1 MB. It may connect again, and should ask for everything anew |
         *
         *     A stream ends when its sandbox is forgotten, when the mock stops, and for a client that does not keep up.
         *     One mock has at most 64 streams open.
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
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters for Prometheus */
        get: operations["getMetrics"];
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
        /** The service's OpenAPI document */
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
        /** The service's OpenAPI document, as it is written */
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
        /** This document */
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
            /** @description The version of the service's interface description. */
            specificationVersion: string;
            /** @description Where the service lies, beside the control API. */
            basePath: string;
            /** @description The mock's own latency, which a sandbox's delay replaces. */
            delay: components["schemas"]["Delay"];
            /** @description What the sandbox started from. */
            fixture: string;
            /** @description The number of pets in the sandbox. */
            pets: number;
            /** @description The number of sandboxes beside the default one. */
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
        PetChange: {
            /** @description From -(2^53−1) to 2^53−1. */
            quantity?: number;
            status?: components["schemas"]["PetStatus"];
        };
        /** @description A state to start from. */
        Fixture: {
            $schema?: string;
            description?: string;
            inventory: {
                /**
                 * Format: int64
                 * @description An int64, as an integer or as a string of its decimal digits.
                 */
                petId: number | bigint | string;
                quantity: number;
                status: components["schemas"]["PetStatus"];
            }[];
        };
        /** @description The present state, in the form of a fixture. */
        State: {
            inventory: components["schemas"]["InventoryItem"][];
        };
        ShippedFixture: {
            name: string;
            description: string;
            /** @description How many pets it holds. */
            pets: number;
        };
        SandboxName: string;
        SandboxSummary: {
            name: components["schemas"]["SandboxName"];
            /** @description What it started from. */
            fixture: string;
            /** @description How many pets it holds. */
            pets: number;
            /** @description How many pets differ from what it started from. */
            changes: number;
        };
        /**
         * @description An operation of the service.
         * @enum {string}
         */
        OperationId: "listInventory" | "updateInventory" | "getPet" | "listOrders";
        /** @description Milliseconds, fixed, or drawn evenly from a range, bounds included. */
        Delay: number | number[];
        DelayInput: components["schemas"]["Delay"] | string;
        DelayChange: {
            /** @description `null` gives back the mock's own delay. */
            delay: components["schemas"]["DelayInput"] | null;
        };
        DelaySetting: {
            /** @description `null` where the mock's own delay counts. */
            delay: components["schemas"]["Delay"] | null;
        };
        /**
         * @description How a connection can fail: `network`, it closes without an answer; `timeout`, no answer comes; `reset`, the
         *     connection is reset; `truncated`, the answer breaks off in the middle of its body.
         * @enum {string}
         */
        ConnectionFault: "network" | "timeout" | "reset" | "truncated";
        /** @description A misbehaviour on purpose. It needs `status`, `error` or `delay`; the first two exclude each other. */
        Fault: {
            operation?: components["schemas"]["OperationId"];
            /**
             * Format: int64
             * @description Only requests about this pet; an int64, as an integer or as a string of its decimal digits.
             */
            petId?: number | bigint | string;
            /** @description The HTTP status. An Error object is the body where `body` gives no other. */
            status?: number;
            /** @description The body, as JSON. Goes with `status`. */
            body?: unknown;
            error?: components["schemas"]["ConnectionFault"];
            delay?: components["schemas"]["DelayInput"];
            /** @description How many times it strikes; without end where it is left out. */
            times?: number;
            /** @description How often it strikes of the times it could; always where it is left out. */
            probability?: number;
            /** @description The seconds of a `Retry-After` header. Goes with `status`. */
            retryAfter?: number;
        };
        /** @description A fault that was added. */
        ActiveFault: components["schemas"]["Fault"] & {
            /** @description Counts from 1 in each sandbox. */
            id: number;
            /** @description How many times it struck. */
            used: number;
        };
        JournalPage: {
            entries: components["schemas"]["JournalEntry"][];
            /** @description How many older exchanges were dropped to make room. */
            dropped: number;
            /** @description Whether none of those that were dropped may have fitted. */
            isComplete: boolean;
        };
        /** @description One exchange. */
        JournalEntry: {
            /** @description Counts from 1 in each sandbox. */
            id: number;
            /**
             * Format: date-time
             * @description When the request came.
             */
            time: string;
            /** @description From the request to its answer, in milliseconds. */
            duration: number;
            sandbox: components["schemas"]["SandboxName"];
            operation?: components["schemas"]["OperationId"];
            /**
             * @description What the specification says of the operation's stability; left out for a stable one.
             * @enum {unknown}
             */
            stability?: "experimental" | "deprecated";
            /**
             * Format: int64
             * @description The pet that the request names, in its path or its body.
             */
            petId?: number | bigint;
            request: {
                method: string;
                /** @description With its query; parameters named like a key or token are marked as `(hidden)`. */
                path: string;
                headers: components["schemas"]["Headers"];
                /** @description Cut at 65,536 bytes. Where the answer did not wait for it, that of a fault or a 401, it comes a moment later. */
                body: string;
                /** @description Whether there is more of the body than is shown. */
                isCut?: boolean;
            };
            /** @description None where the client got no answer. */
            answer?: {
                status: number;
                headers: components["schemas"]["Headers"];
                /** @description Cut at 65,536 bytes. */
                body: string;
                /** @description Whether there is more of the body than is shown. */
                isCut?: boolean;
            };
            /** @description The fault that struck. */
            fault?: {
                id: number;
                status?: number;
                error?: components["schemas"]["ConnectionFault"];
                /** @description Whether the service's specification lists the status for the operation. */
                inContract: boolean;
            };
        };
        /** @description Names in lower case; credentials are marked as `(hidden)`. */
        Headers: {
            [key: string]: string;
        };
        Error: {
            /**
             * @description `unknown_pet`, `unknown_fault` and `unknown_sandbox` come with 404 where the path names one that is not there.
             *     `not_found` is a 404 for a route that is not there, as where the control API is off.
             * @enum {string}
             */
            code: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "unknown_pet" | "unknown_fault" | "unknown_sandbox" | "method_not_allowed" | "too_many_requests" | "internal_error";
            message: string;
            /** @description The HTTP status code, repeated. */
            status: number;
        };
    };
    responses: {
        /** @description The present state. */
        State: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["State"];
            };
        };
        /** @description The pet as it is now. */
        Pet: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InventoryItem"];
            };
        };
        /** @description The delay as it is now. */
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
        /** @description The request cannot be understood; the message names the place and the fault. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The control token is missing or invalid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request comes from a page of another site, or calls the server by another's name. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The mock has as many streams of events open as it can, or holds as many bytes of other bodies. Try again. */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such pet, fault or sandbox; the code says which. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The file cannot be written; it still holds the state of the last save. */
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
        /** @description The sandbox to act on; the default one where it is left out. */
        sandbox: components["schemas"]["SandboxName"];
        /** @description The pet, as an int64 in canonical decimal form. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It answers. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
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
                    "application/json": components["schemas"]["ShippedFixture"][];
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A shipped fixture's name, or a fixture. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
                /** @description The conditions by property, as JSON. Without it every pet fits. */
                where?: string;
                /** @description A property with `asc` or `desc`, or a list of such, as JSON. Without it the order is that of the list. */
                orderBy?: string;
                /** @description At most so many. */
                take?: number;
                /** @description Without the first so many. */
                skip?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pets, and how many fit in all. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many fit, whatever `skip` and `take` leave out. */
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
    getPet: {
        parameters: {
            query?: {
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The pet, as an int64 in canonical decimal form. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The pet, as an int64 in canonical decimal form. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The pet, as an int64 in canonical decimal form. */
                petId: components["parameters"]["petId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
                /** @description Only exchanges of this operation. */
                operation?: components["schemas"]["OperationId"];
                /** @description Only exchanges whose path names this pet. */
                petId?: number | bigint;
                /** @description Only exchanges answered with this status. */
                status?: number;
                /** @description Only exchanges newer than the one with this id. */
                after?: number;
                /** @description Only exchanges older than the one with this id. */
                before?: number;
                /** @description `none` leaves all bodies empty. */
                bodies?: "none";
                /** @description At most so many, the newest of those that fit. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are forgotten. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
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
            /** @description It can strike. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description None strikes any more. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path: {
                /** @description The fault. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It strikes no more. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
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
    listSandboxes: {
        parameters: {
            query?: {
                /** @description The sandbox to act on; the default one where it is left out. */
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
                /** @description The sandbox. */
                name: components["schemas"]["SandboxName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is forgotten. */
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
                /** @description The sandbox to act on; the default one where it is left out. */
                sandbox?: components["parameters"]["sandbox"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
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
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text format of Prometheus, version 0.0.4. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getServiceDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Document"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getServiceDocumentYaml: {
        parameters: {
            query?: never;
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
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
}
