// A notes server in Go, without a framework: go run . 8090
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

type note struct {
	ID             string `json:"id"`
	CollectionID   string `json:"collectionId"`
	CollectionName string `json:"collectionName"`
	Created        string `json:"created"`
	Updated        string `json:"updated"`
	Text           string `json:"text"`
}

var (
	mutex sync.Mutex
	notes []*note
)

func now() string { return time.Now().UTC().Format("2006-01-02 15:04:05.000Z") }

func newID() string {
	bytes := make([]byte, 10)
	rand.Read(bytes)
	return hex.EncodeToString(bytes)
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	if body != nil {
		json.NewEncoder(w).Encode(body)
	}
}

func fail(w http.ResponseWriter, status int, message string) {
	respond(w, status, map[string]string{"message": message})
}

// Text of a body, if it has one.
func textIn(r *http.Request) (*string, error) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body == nil {
		return nil, errors.New("the body is not a JSON object")
	}
	value, given := body["text"]
	text, isText := value.(string)
	if given && !isText {
		return nil, errors.New("text must be a string")
	}
	if !given {
		return nil, nil
	}
	return &text, nil
}

func number(r *http.Request, name string, fallback int) int {
	value, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || value < 1 {
		return fallback
	}
	return value
}

func list(w http.ResponseWriter, r *http.Request) {
	page, size := number(r, "page", 1), min(number(r, "perPage", 30), 500)
	from := min((page-1)*size, len(notes))
	respond(w, 200, map[string]any{
		"page": page, "perPage": size, "totalItems": len(notes),
		"totalPages": (len(notes) + size - 1) / size,
		"items":      append([]*note{}, notes[from:min(from+size, len(notes))]...),
	})
}

func create(w http.ResponseWriter, r *http.Request) {
	text, err := textIn(r)
	if err != nil {
		fail(w, 400, err.Error())
		return
	}
	made := &note{ID: newID(), CollectionID: "notes", CollectionName: "notes", Created: now()}
	made.Updated = made.Created
	if text != nil {
		made.Text = *text
	}
	notes = append(notes, made)
	respond(w, 200, made)
}

// Finds the note of the path.
func found(work func(w http.ResponseWriter, r *http.Request, at int)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for at, each := range notes {
			if each.ID == r.PathValue("id") {
				work(w, r, at)
				return
			}
		}
		fail(w, 404, "no such note")
	}
}

func update(w http.ResponseWriter, r *http.Request, at int) {
	text, err := textIn(r)
	if err != nil {
		fail(w, 400, err.Error())
		return
	}
	if text != nil {
		notes[at].Text = *text
	}
	notes[at].Updated = now()
	respond(w, 200, notes[at])
}

func main() {
	mux := http.NewServeMux()
	handle := func(pattern string, handler http.HandlerFunc) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			mutex.Lock()
			defer mutex.Unlock()
			handler(w, r)
		})
	}
	const records = "/api/v1/collections/notes/records"
	handle("GET "+records, list)
	handle("POST "+records, create)
	handle("GET "+records+"/{id}", found(func(w http.ResponseWriter, _ *http.Request, at int) {
		respond(w, 200, notes[at])
	}))
	handle("PATCH "+records+"/{id}", found(update))
	handle("DELETE "+records+"/{id}", found(func(w http.ResponseWriter, _ *http.Request, at int) {
		notes = append(notes[:at], notes[at+1:]...)
		respond(w, 204, nil)
	}))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], mux))
}
