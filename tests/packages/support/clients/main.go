// Does a task's work with the client that oapi-codegen has generated.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"callboard.test/client/callboard"
)

func must[T any](value *T, what string, err error) *T {
	if err != nil || value == nil {
		panic(fmt.Sprint(what, ": ", err))
	}
	return value
}

func main() {
	ctx := context.Background()
	sign := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client, err := callboard.NewClientWithResponses(
		os.Getenv("CALLBOARD")+"/api", callboard.WithRequestEditorFn(sign))
	must(client, "client", err)

	project, err := client.CreateProjectWithResponse(ctx, callboard.ProjectBody{Name: "Go"})
	id := must(project.JSON201, "project", err).Id
	one := int64(1)
	list, err := client.ListProjectsWithResponse(ctx, &callboard.ListProjectsParams{Limit: &one})
	if len(*must(list.JSON200, "projects", err)) != 1 {
		panic("not one project")
	}
	key, err := client.CreateKeyWithResponse(ctx, id, callboard.KeyBody{Name: "None", Type: "none"})
	keyId := must(key.JSON201, "key", err).Id
	branch := "main"
	repository, err := client.CreateRepositoryWithResponse(ctx, id, callboard.RepositoryBody{
		Name: "Playbooks", GitUrl: os.Getenv("REPOSITORY"), SshKeyId: keyId, GitBranch: &branch,
	})
	repositoryId := must(repository.JSON201, "repository", err).Id
	hosts := "localhost ansible_connection=local"
	inventory, err := client.CreateInventoryWithResponse(ctx, id, callboard.InventoryBody{
		Name: "Here", Type: "static", SshKeyId: &keyId, Inventory: &hosts,
	})
	inventoryId := must(inventory.JSON201, "inventory", err).Id
	values := `{"region": "eu"}`
	environment, err := client.CreateEnvironmentWithResponse(ctx, id, callboard.EnvironmentBody{
		Name: "Values", Json: &values,
	})
	environmentId := must(environment.JSON201, "environment", err).Id
	template, err := client.CreateTemplateWithResponse(ctx, id, callboard.TemplateBody{
		Name: "Say", Playbook: "site.yml", InventoryId: inventoryId, RepositoryId: repositoryId,
		EnvironmentId: &environmentId,
	})
	templateId := must(template.JSON201, "template", err).Id
	started, err := client.StartTaskWithResponse(
		ctx, id, &callboard.StartTaskParams{}, callboard.StartTaskBody{TemplateId: &templateId})
	task := must(started.JSON201, "task", err)
	wait := int64(30)
	for task.End == nil {
		answer, err := client.GetTaskWithResponse(ctx, id, task.Id, &callboard.GetTaskParams{Wait: &wait})
		task = must(answer.JSON200, "end", err)
	}
	output, err := client.GetTaskOutputWithResponse(ctx, id, task.Id, nil)
	lines := must(output.JSON200, "output", err)
	fmt.Println(task.Status, task.Created.Year() > 2000)
	for _, line := range *lines {
		fmt.Println(line.Output)
	}
}
