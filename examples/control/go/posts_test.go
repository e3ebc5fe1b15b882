// Tests of an application in Go, each with the data that it needs:
//
//	npx conformance serve --data ../data.json --control --exec 'go test ./...'
package posts

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"
)

var api, control = os.Getenv("API_URL"), os.Getenv("CONTROL_URL")

func send(t *testing.T, method, url, token string, body, result any) int {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if result != nil {
		if err := json.NewDecoder(response.Body).Decode(result); err != nil {
			t.Fatal(err)
		}
	}
	return response.StatusCode
}

type object = map[string]any

func reset(t *testing.T) {
	t.Helper()
	if status := send(t, "POST", control+"/reset", "", object{}, nil); status != http.StatusNoContent {
		t.Fatalf("reset: %d", status)
	}
}

func TestListsWhatIsThere(t *testing.T) {
	reset(t)
	send(t, "POST", control+"/records", "", object{"posts": []object{{"title": "First"}, {"title": "Second"}}}, nil)
	var list struct{ Items []struct{ Title string } }
	send(t, "GET", api+"/collections/posts/records", "", nil, &list)
	if len(list.Items) != 2 || list.Items[1].Title != "Second" {
		t.Fatalf("listed %v", list.Items)
	}
}

func TestOnlyMembersPost(t *testing.T) {
	reset(t)
	posts := api + "/collections/posts/records"
	if status := send(t, "POST", posts, "", object{"title": "Third"}, nil); status != http.StatusBadRequest {
		t.Fatalf("a guest posted: %d", status)
	}
	var made struct{ Token string }
	send(t, "POST", control+"/token", "", object{"table": "users", "email": "ann@example.com"}, &made)
	if status := send(t, "POST", posts, made.Token, object{"title": "Third"}, nil); status != http.StatusOK {
		t.Fatalf("a member could not post: %d", status)
	}
}
